/** Talking to a session. */
import type { Context } from 'hono';
import { z } from 'zod';
import {
  AnswerRequest,
  MessageAnswer,
  MessageChanges,
  MessageRequest,
  WaitingAnswer,
  type WaitingMessage,
  QuestionsAnswer,
  type QuestionView,
} from '../contract/message.js';
import {
  EntriesAnswer,
  EntriesQuery,
  SessionAnswer,
  SnapshotAnswer,
  SnapshotQuery,
  StopAnswer,
} from '../contract/session.js';
import { MessageId, type SessionId } from '../contract/ids.js';
import type { AnsweredVia } from '../contract/journal.js';
import { isRefusal, refuse, type Refusal } from '../contract/refusal.js';
import type { Conversation } from '../runtime/session/conversation.js';
import { entryView } from '../runtime/session/entry-view.js';
import type { Sessions } from '../runtime/session/sessions.js';
import type { OpenQuestion } from '../domain/session/open-question.js';
import type { MessageRecord, SessionRecord, Store } from '../ports/store.js';
import { findSession } from './find.js';
import type { Bindings } from './guard.js';
import type { Routes } from './routes.js';

export type ConversationParts = {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly conversation: Conversation;
};

const SNAPSHOT_ENTRIES = 200;
const PAGE_ENTRIES = 1_000;

export function conversationRoutes(routes: Routes, { store, sessions, conversation }: ConversationParts): void {
  /** Does the work for the session that was meant, and shows it as it is afterwards. */
  const on = async <Extra extends object>(
    typed: string,
    work: (session: SessionRecord) => Promise<Extra | Refusal>,
  ) => {
    const session = await findSession(store, typed);
    if (isRefusal(session)) return session;
    const extra = await work(session);
    if (isRefusal(extra)) return extra;
    return { ...extra, session: await sessions.view((await store.sessions.get(session.id)) ?? session) };
  };

  routes.get(
    '/api/sessions/:id',
    { summary: 'Shows a session with its last entries', query: SnapshotQuery, answer: SnapshotAnswer },
    ({ id, query }) =>
      on(id, async (session) => {
        // Asked first: what comes meanwhile has a higher number, and is sent by the stream.
        const seq = await store.head();
        const entries = await store.journal.before(session.id, seq + 1, query.entries ?? SNAPSHOT_ENTRIES);
        const waiting = await store.messages.waiting(session.id);
        return { entries: entries.map(entryView), waiting: waiting.map(messageView), seq };
      }),
  );

  routes.get(
    '/api/sessions/:id/entries',
    { summary: 'Reads entries behind or before a number', query: EntriesQuery, answer: EntriesAnswer },
    async ({ id, query: { after = 0, before, limit = PAGE_ENTRIES } }) => {
      const session = await findSession(store, id);
      if (isRefusal(session)) return session;
      const { journal } = store;
      const entries =
        before === undefined ? journal.after(session.id, after, limit) : journal.before(session.id, before, limit);
      return { entries: (await entries).map(entryView) };
    },
  );

  routes.post(
    '/api/sessions/:id/messages',
    { summary: 'Says something to the agent', body: MessageRequest, answer: MessageAnswer, status: 202 },
    async ({ id, body }) => {
      const session = await findSession(store, id);
      const sent = isRefusal(session) ? session : await conversation.say(session.id, body);
      if (isRefusal(sent)) return sent;
      const { message, disposition, notes } = sent;
      return { message: messageView(message), disposition, ...(notes && { notes: [...notes] }) };
    },
  );

  /** Ids of messages are never typed by hand: they are given whole or not at all. */
  const onMessage = async (
    typed: string,
    context: { readonly req: { param(name: 'message'): string | undefined } },
    work: (session: SessionId, message: MessageId) => Promise<MessageRecord | Refusal>,
  ) => {
    const session = await findSession(store, typed);
    if (isRefusal(session)) return session;
    const message = MessageId.safeParse(context.req.param('message'));
    if (!message.success) return refuse('not-found', `There is no such message in session ${session.id}.`);
    const changed = await work(session.id, message.data);
    return isRefusal(changed) ? changed : { message: messageView(changed) };
  };

  routes.patch(
    '/api/sessions/:id/messages/:message',
    { summary: 'Changes a message that waits', body: MessageChanges, answer: WaitingAnswer },
    ({ id, body, context }) =>
      onMessage(id, context, (session, message) => conversation.change(session, message, body)),
  );

  routes.post(
    '/api/sessions/:id/messages/:message/withdraw',
    { summary: 'Takes back a message that waits', body: z.strictObject({}), answer: WaitingAnswer },
    ({ id, context }) => onMessage(id, context, (session, message) => conversation.withdraw(session, message)),
  );

  routes.post(
    '/api/sessions/:id/stop',
    { summary: 'Ends the turn that runs; its processes go on', body: z.strictObject({}), answer: StopAnswer },
    ({ id }) => on(id, (session) => conversation.stop(session.id)),
  );

  routes.post(
    '/api/sessions/:id/answers',
    { summary: 'Answers a question; the first answer counts', body: AnswerRequest, answer: SessionAnswer },
    ({ id, body: { question, text }, context }) =>
      on(id, (session) => conversation.answer(session.id, question, { text, via: viaOf(context) })),
  );

  routes.get(
    '/api/sessions/:id/questions',
    {
      summary: 'Shows the questions that wait exactly as they were asked, for those who answer them',
      query: z.strictObject({}),
      answer: QuestionsAnswer,
    },
    async ({ id }) => {
      const session = await findSession(store, id);
      if (isRefusal(session)) return session;
      return { questions: (await conversation.questions(session.id)).map(questionView) };
    },
  );

  routes.post(
    '/api/sessions/:id/reset',
    { summary: 'Begins anew: what is owed for before is settled', body: z.strictObject({}), answer: SessionAnswer },
    ({ id }) => on(id, (session) => conversation.reset(session.id)),
  );

  routes.post(
    '/api/sessions/:id/resume',
    { summary: 'Lifts a pause and continues unfinished work', body: z.strictObject({}), answer: SessionAnswer },
    ({ id }) => on(id, (session) => conversation.resume(session.id)),
  );
}

function viaOf(context: Context<Bindings>): AnsweredVia {
  const inside = context.get('inside');
  const visitor = context.get('visitor');
  if (inside) return { kind: 'process', id: inside.process };
  return visitor.kind === 'browser' ? { kind: 'browser', id: visitor.id } : { kind: 'token' };
}

const questionView = ({ question, text, choices, about, at, expiresAt }: OpenQuestion): QuestionView => ({
  question,
  text,
  ...(choices && { choices: [...choices] }),
  about,
  at: new Date(at).toISOString(),
  expiresAt: new Date(expiresAt).toISOString(),
});

const messageView = ({ id, text, mode, from, at, state }: MessageRecord): WaitingMessage => ({
  id,
  text,
  mode,
  from,
  at: new Date(at).toISOString(),
  state,
});
