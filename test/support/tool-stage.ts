/** The real parts of a host that tools work on, in this program and a home of their own. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '../../src/clock/system.js';
import { NoticeId, ProcessId, SessionId, TurnId } from '../../src/contract/ids.js';
import type { AgentPolicy } from '../../src/contract/notice.js';
import { redactor } from '../../src/domain/output/redaction.js';
import type { RuntimeEvent } from '../../src/runtime/events.js';
import { Inputs } from '../../src/runtime/process/inputs.js';
import { News } from '../../src/runtime/listeners.js';
import { Notices } from '../../src/runtime/notice/notices.js';
import { Sessions } from '../../src/runtime/session/sessions.js';
import { Supervisor } from '../../src/runtime/process/supervisor.js';
import type { Answer } from '../../src/domain/session/open-question.js';
import type { Question, ToolContext, ToolOutcome } from '../../src/runtime/session/tools/tool.js';
import { Upkeep } from '../../src/runtime/process/upkeep.js';
import { Views } from '../../src/runtime/process/view.js';
import type { SessionRecord } from '../../src/ports/store.js';
import { SqliteStore } from '../../src/store/sqlite/store.js';
import { onCleanUp } from './clean-up.js';
import { newHome } from './host.js';
import { idleMailboxes } from './idle-mailboxes.js';
import { localPlace } from './local-place.js';
import { until } from './until.js';

export const TOKEN = 'rouse_0123456789abcdef0123456789abcdef';

const SETTINGS = {
  processes: 64,
  processesPerSession: 16,
  quotaBytes: 1_048_576,
  graceMs: 1_000,
  launchMs: 30_000,
  tail: { lines: 20, characters: 3_000 },
  watching: {
    watch: { cooldownMs: 15_000, strikes: 3 },
    breaker: { max: 15, windowMs: 10_000, silenceMs: 30_000 },
  },
};

/** Never twice on this machine: what a process started is found by the id that it was given, also by other stages. */
const fresh =
  <Id>(shape: { parse(text: string): Id }, prefix: string) =>
  (): Id =>
    shape.parse(prefix + randomBytes(10).toString('hex'));

export type Stage = Awaited<ReturnType<typeof openStage>>;

export async function openStage() {
  const home = newHome();
  const faults: unknown[] = [];
  const tell = (event: RuntimeEvent) => event.kind === 'fault' && faults.push(event.error);
  const store = await SqliteStore.open(join(home, 'rouse.db'), systemClock);
  const place = localPlace(home);
  const news = new News();
  const notices = new Notices({ store, clock: systemClock, newId: fresh(NoticeId, 'ntc_'), news, tell });
  const newProcessId = fresh(ProcessId, 'proc_0');
  const secrets = redactor([TOKEN]);
  const supervisor = new Supervisor({
    store,
    places: [place],
    notices,
    redactor: secrets,
    clock: systemClock,
    tell,
    newId: newProcessId,
    settings: SETTINGS,
  });
  const upkeep = new Upkeep({ supervisor, store, clock: systemClock, retention: { days: 7, count: 1_000 }, tell });
  upkeep.start();
  const newSessionId = fresh(SessionId, 'ses_');
  const newTurnId = fresh(TurnId, 'turn_');
  const mailboxes = idleMailboxes({ store, notices, news, clock: systemClock, newTurnId, tell });
  const parts = { store, supervisor, notices, mailboxes, news, clock: systemClock };
  const sessions = new Sessions({ ...parts, newSessionId, newWebhookSecret: () => 'whsec_0' });
  // Fails when anything failed behind the scenes.
  onCleanUp(async () => {
    upkeep.stop();
    await supervisor.stop();
    await store.close();
    if (faults.length > 0) throw new AggregateError(faults, 'There were faults on the stage.');
  });

  return {
    home,
    store,
    notices,
    supervisor,
    clock: systemClock,
    views: new Views(supervisor, supervisor.reader, systemClock),
    inputs: new Inputs(supervisor, 16),

    session: async (wakes: AgentPolicy = 'always') => (await sessions.create({ title: 'Stage', wakes })).session,

    /** A turn of the session, in which a person gives these answers, one after the other. */
    turn: ({ id, mailbox: { generation } }: SessionRecord, answers: readonly Answer[] = []) =>
      turnOf({ session: id, turn: newTurnId(), generation }, answers),

    /** Starts a process as another tool would. */
    start: async (session: SessionRecord | undefined, command: string, more: { notifyOnComplete?: boolean } = {}) => {
      const order = { command, pty: false, place: 'local', notifyOnComplete: false, watchPatterns: [], ...more };
      const started = await supervisor.start({ ...order, cwd: home, session });
      if (!('process' in started)) throw new Error(started.why);
      return started.process.id;
    },

    ended: (id: ProcessId) =>
      until(`${id} has ended`, async () => {
        const record = await store.processes.get(id);
        return record?.lifecycle.kind === 'ended' && record;
      }),

    /** What the loop of a turn does with an outcome. */
    settle: async ({ consumes }: ToolOutcome) => {
      if (consumes) await notices.consume(consumes.process, consumes.how);
    },
  };
}

function turnOf(caller: ToolContext['caller'], answers: readonly Answer[]) {
  const over = new AbortController();
  const speech = new AbortController();
  const asked: Question[] = [];
  const context: ToolContext = {
    caller,
    signal: over.signal,
    spoken: speech.signal,
    askedBefore: false,
    processId: () => undefined,
    ask: async (question) => {
      const answer = answers[asked.push(question) - 1];
      if (!answer) throw new Error(`Nobody was to be asked: ${question.text}`);
      return answer;
    },
  };
  return { context, asked, end: () => over.abort(), speak: () => speech.abort() };
}

/** A turn of nobody's session, for tools that do not ask whose it is. */
export const fakeTurn = (answers: readonly Answer[] = []) =>
  turnOf({ session: fresh(SessionId, 'ses_')(), turn: fresh(TurnId, 'turn_')(), generation: 1 }, answers);

export const person = (text: string): Answer => ({ by: 'person', text });
export const nobody: Answer = { by: 'timeout' };
