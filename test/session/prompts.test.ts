/** What the model is shown of a session with more entries than any step should read, over a real store. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Agent, AgentFailure, Thought } from '../../src/ports/agent.js';
import { MessageId, NoticeId, TurnId } from '../../src/contract/ids.js';
import type { EntryBody } from '../../src/contract/journal.js';
import { newSession } from '../../src/domain/session/mailbox.js';
import { News } from '../../src/runtime/listeners.js';
import { Notices } from '../../src/runtime/notice/notices.js';
import { Prompts } from '../../src/runtime/session/prompts.js';
import { SqliteStore } from '../../src/store/sqlite/store.js';
import { FakeClock } from '../agent/fake-clock.js';
import { sessionId } from '../domain/causes.js';
import { idleMailboxes } from '../support/idle-mailboxes.js';
import { sessionOf } from '../store/notice-conformance.js';
import { newFolder, onCleanUp } from '../support/clean-up.js';

const TURN = { id: TurnId.parse('turn_000000000001'), generation: 1 };
const TURNS = 1_500;
const SUMMARY = 'They greeted each other many times.';

const said = (text: string): EntryBody => ({
  kind: 'message',
  message: MessageId.parse('msg_000000000001'),
  text,
  mode: 'queue',
  from: 'person',
});
const began: EntryBody = { kind: 'turnBegan', generation: 1, by: 'person', model: 'm' };
const exchange: readonly EntryBody[] = [
  began,
  said('Hello.'),
  { kind: 'text', text: 'Hello.' },
  { kind: 'turnEnded', reason: 'finished' },
];

async function scene(answer: Thought | AgentFailure) {
  const clock = new FakeClock();
  const store = await SqliteStore.open(join(newFolder(), 'rouse.db'), clock);
  onCleanUp(() => store.close());
  const turn = { generation: 1, by: 'person', phase: { kind: 'running' } } as const;
  const entries = [...Array.from({ length: TURNS }, () => exchange).flat(), began, said('The last word.')];
  await store.transact(async ({ sessions, journal }) => {
    await sessions.insert(sessionOf(sessionId, { mailbox: { ...newSession, generation: 1, turn } }));
    await journal.append(
      sessionId,
      entries.map((body) => ({ at: 1, turn: TURN.id, body })),
    );
  });
  let asked = 0;
  const agent: Agent = {
    think: async () => {
      asked += 1;
      return answer;
    },
    window: () => 1_000_000_000,
    credentials: () => '',
  };
  const news = new News();
  const tell = () => undefined;
  const newId = () => NoticeId.parse('ntc_000000000001');
  const notices = new Notices({ store, clock, newId, news, tell });
  const mailboxes = idleMailboxes({ store, notices, news, clock, newTurnId: () => TURN.id, tell });
  const prompts = new Prompts({ store, supervisor: { unfinished: [] }, agent, mailboxes, clock });
  const shown = () => prompts.of(sessionId, TURN, 'm', new AbortController().signal);
  return { shown, asked: () => asked };
}

test('shows what was said last, however much was said before and though nothing can be folded', async () => {
  const { shown } = await scene({ failed: 'refused', why: 'it does not fold' });
  expect((await shown()).at(-1)).toEqual({ role: 'person', text: 'The last word.' });
});

test('folds a session of too many entries once, whatever its window takes, and shows what is left', async () => {
  const usage = { inputTokens: 1, outputTokens: 1 };
  const { shown, asked } = await scene({ text: SUMMARY, reasoning: '', calls: [], finish: 'stop', usage });
  await shown();
  const [, summary, ...rest] = await shown();
  expect(summary).toMatchObject({ role: 'notice', text: expect.stringContaining(SUMMARY) });
  expect(rest.at(-1)).toEqual({ role: 'person', text: 'The last word.' });
  expect(rest.length).toBeLessThan(20);
  expect(asked()).toBe(1);
});
