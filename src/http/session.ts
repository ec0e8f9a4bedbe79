/** Sessions over HTTP, and what people send to them. */
import type { Context } from 'hono';
import type { AnsweredVia } from '../contract/journal.js';
import { MessageId, type SessionId } from '../contract/ids.js';
import type { QuestionView, WaitingMessage } from '../contract/message.js';
import { isRefusal, refuse, type Refusal } from '../contract/refusal.js';
import type { routes } from '../contract/routes.js';
import type { OpenQuestion } from '../domain/session/open-question.js';
import type { MessageRecord, SessionRecord, Store } from '../ports/store.js';
import type { DroppedFiles } from '../runtime/people/dropped-files.js';
import type { Conversation } from '../runtime/session/conversation.js';
import { entryView } from '../runtime/session/entry-view.js';
import type { Sessions } from '../runtime/session/sessions.js';
import { findSession } from './find.js';
import type { Bindings } from './guard.js';
import { problem } from './problem.js';
import type { Handlers } from './router.js';
import { iso } from '../ports/clock.js';

export type SessionParts = {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly conversation: Conversation;
  readonly files: DroppedFiles;
};

type AboutSession = { readonly params: { readonly id: string } };
type AboutMessage = { readonly params: { readonly id: string; readonly message: string } };

const SNAPSHOT_ENTRIES = 200;
const PAGE_ENTRIES = 1_000;

export function sessionHandlers(parts: SessionParts): Handlers<typeof routes.session> {
  const { store, sessions, conversation, files } = parts;

  const on = async <Answer>(
    { params: { id } }: AboutSession,
    work: (session: SessionRecord) => Promise<Answer | Refusal>,
  ) => {
    const session = await findSession(store, id);
    return isRefusal(session) ? session : work(session);
  };

  /** Does the work for the session and shows it as it is afterwards. */
  const showing = <Extra extends object>(
    request: AboutSession,
    work: (session: SessionRecord) => Promise<Extra | Refusal>,
  ) =>
    on(request, async (session) => {
      const extra = await work(session);
      if (isRefusal(extra)) return extra;
      return { ...extra, session: await sessions.view((await store.sessions.get(session.id)) ?? session) };
    });

  /** Message ids are never typed by hand, so they are not shortened. */
  const onMessage = (
    request: AboutMessage,
    work: (session: SessionId, message: MessageId) => Promise<MessageRecord | Refusal>,
  ) =>
    on(request, async ({ id }) => {
      const message = MessageId.safeParse(request.params.message);
      if (!message.success) return refuse('not-found', `There is no such message in session ${id}.`);
      const changed = await work(id, message.data);
      return isRefusal(changed) ? changed : { message: messageView(changed) };
    });

  return {
    create: async ({ body }) => {
      const { session, outcome } = await sessions.create(body);
      const secret = outcome === 'made' ? session.webhook?.secret : undefined;
      return { session: await sessions.view(session), outcome, ...(secret && { webhookSecret: secret }) };
    },

    list: async () => ({ sessions: [...(await sessions.views(await store.sessions.list()))] }),

    show: (request) =>
      showing(request, async ({ id }) => {
        // Read first: what comes meanwhile has a higher number and is sent by the stream.
        const seq = await store.head();
        const entries = await store.journal.before(id, seq + 1, request.query.entries ?? SNAPSHOT_ENTRIES);
        const waiting = await store.messages.waiting(id);
        return { entries: entries.map(entryView), waiting: waiting.map(messageView), seq };
      }),

    change: (request) =>
      on(request, async (session) => {
        const changed = (await sessions.change(session, request.body)) ?? session;
        const secret = request.body.webhook ? changed.webhook?.secret : undefined;
        return { session: await sessions.view(changed), ...(secret && { webhookSecret: secret }) };
      }),

    seen: (request) =>
      showing(request, async (session) => {
        await sessions.see(session, request.body.seq);
        return {};
      }),

    entries: (request) =>
      on(request, async ({ id }) => {
        const { after = 0, before, limit = PAGE_ENTRIES } = request.query;
        const { journal } = store;
        const entries = before === undefined ? journal.after(after, limit, id) : journal.before(id, before, limit);
        return { entries: (await entries).map(entryView) };
      }),

    send: (request) =>
      on(request, async ({ id }) => {
        const sent = await conversation.say(id, request.body);
        if (isRefusal(sent)) return sent;
        const { message, disposition, notes } = sent;
        return { message: messageView(message), disposition, ...(notes && { notes: [...notes] }) };
      }),

    changeMessage: (request) =>
      onMessage(request, (session, message) => conversation.change(session, message, request.body)),

    withdraw: (request) => onMessage(request, (session, message) => conversation.withdraw(session, message)),

    putFile: (request) =>
      on(request, async ({ id, closedAt }) => {
        if (closedAt !== undefined)
          return refuse('session-closed', `Session ${id} is closed: it takes no files any more.`);
        const { incoming } = request.context.env;
        try {
          const bytes = incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
          const file = await files.keep(id, request.params.name, bytes);
          return isRefusal(file) ? file : { file };
        } catch (error) {
          if (!incoming.errored) throw error;
          return problem(400, 'cut-off', 'The upload was cut off, and nothing was stored. Send the file again.');
        }
      }),

    stop: (request) => showing(request, ({ id }) => conversation.stop(id)),

    questions: (request) =>
      on(request, async ({ id }) => ({ questions: (await conversation.questions(id)).map(questionView) })),

    answer: (request) =>
      showing(request, ({ id }) => {
        const { question, text } = request.body;
        return conversation.answer(id, question, { text, via: viaOf(request.context) });
      }),

    reset: (request) => showing(request, ({ id }) => conversation.reset(id)),

    resume: (request) => showing(request, ({ id }) => conversation.resume(id)),
  };
}

function viaOf(context: Context<Bindings>): AnsweredVia {
  const { inside, visitor } = context.var;
  if (inside) return { kind: 'process', id: inside.process };
  return visitor.kind === 'browser' ? { kind: 'browser', id: visitor.id } : { kind: 'token' };
}

const questionView = ({ question, text, choices, about, at, expiresAt }: OpenQuestion): QuestionView => ({
  question,
  text,
  ...(choices && { choices: [...choices] }),
  about,
  at: iso(at),
  expiresAt: iso(expiresAt),
});

const messageView = ({ id, text, mode, from, at, state }: MessageRecord): WaitingMessage => ({
  id,
  text,
  mode,
  from,
  at: iso(at),
  state,
});
