/** Notices over HTTP, and why they came or did not. */
import { isRefusal, type Refusal } from '../contract/refusal.js';
import type { routes } from '../contract/routes.js';
import { why, whyNothing, whySession, whyHeldBack } from '../domain/notice/why.js';
import { stateOf } from '../domain/session/mailbox.js';
import type { NoticeRecord, Numbered, ProcessRecord, SessionRecord, Store } from '../ports/store.js';
import { NoticeViews, noticeView } from '../runtime/notice/notice-view.js';
import type { Notices } from '../runtime/notice/notices.js';
import type { Supervisor } from '../runtime/process/supervisor.js';
import type { Conversation } from '../runtime/session/conversation.js';
import { findNotice, findProcess, findSession, ifGiven } from './find.js';
import type { Handlers } from './router.js';
import { iso } from '../ports/clock.js';

export type NoticeParts = {
  readonly store: Store;
  readonly supervisor: Supervisor;
  readonly notices: Notices;
  readonly conversation: Conversation;
};

export function noticeHandlers(parts: NoticeParts): Handlers<typeof routes.notice> {
  const { store, supervisor, notices, conversation } = parts;
  const views = new NoticeViews(store);

  /** Does the work on the notice and shows it as it is afterwards. */
  const on = async (
    { params: { id } }: { readonly params: { readonly id: string } },
    work: (notice: Numbered<NoticeRecord>) => Promise<Numbered<NoticeRecord> | Refusal>,
  ) => {
    const found = await findNotice(store, id);
    const notice = isRefusal(found) ? found : await work(found);
    return isRefusal(notice) ? notice : { notice: await views.of(notice) };
  };

  async function explained(notice: NoticeRecord): Promise<string> {
    const session = await store.sessions.get(notice.session);
    return why(notice, {
      time: iso,
      session: session?.title,
      ...(session && { holds: await conversation.holdsOn(session, notice.id) }),
    });
  }

  const explainedAll = (found: readonly NoticeRecord[]) => Promise.all(found.toReversed().map(explained));

  async function whyOfSession(session: SessionRecord) {
    const found = await store.notices.list({ session: session.id, state: 'pending' });
    const names = { time: iso, session: session.title, holds: await conversation.holdsOn(session) };
    const queried = { id: session.id, state: stateOf(session.mailbox), owed: found.length };
    return { sentences: [whySession(queried, names), ...(await explainedAll(found))], notices: await views.all(found) };
  }

  async function whyOfProcess(process: ProcessRecord) {
    const found = await store.notices.list({ process: process.id });
    const { lifecycle, watch } = process;
    const sentences = [
      ...(await explainedAll(found)),
      ...whyHeldBack(process, watch?.state, { silentUntil: supervisor.silentUntil, time: iso }),
    ];
    const nothing = whyNothing({ ...process, state: lifecycle.kind, searched: watch?.mark.position });
    return { sentences: sentences.length > 0 ? sentences : [nothing], notices: await views.all(found) };
  }

  return {
    list: async ({ query: { state, limit, ...of } }) => {
      const session = await ifGiven(of.session, (typed) => findSession(store, typed));
      if (isRefusal(session)) return session;
      const process = await ifGiven(of.process, (typed) => findProcess(store, supervisor, typed));
      if (isRefusal(process)) return process;
      const found = await store.notices.list({
        ...(session && { session: session.id }),
        ...(process && { process: process.id }),
        ...(state && { state }),
        ...(limit && { limit }),
      });
      return { notices: await views.all(found) };
    },

    show: (request) => on(request, async (notice) => notice),

    add: async ({ params, body: { text, key, from } }) => {
      const session = await findSession(store, params.id);
      if (isRefusal(session)) return session;
      const { redact } = supervisor.redactor;
      const added = await notices.add(session.id, redact(text), { key, from: redact(from) });
      if (isRefusal(added)) return added;
      const { notice, outcome } = added;
      return { notice: noticeView((await store.notices.get(notice.id)) ?? { ...notice, seq: 0 }, session), outcome };
    },

    retry: (request) => on(request, ({ id }) => notices.retry(id)),

    dismiss: (request) => on(request, ({ id }) => notices.dismiss(id, 'person')),

    why: async ({ params: { id } }) => {
      if (id.startsWith('ntc_')) {
        const notice = await findNotice(store, id);
        return isRefusal(notice) ? notice : { sentences: [await explained(notice)], notices: [await views.of(notice)] };
      }
      if (id.startsWith('ses_')) {
        const session = await findSession(store, id);
        return isRefusal(session) ? session : whyOfSession(session);
      }
      const process = await findProcess(store, supervisor, id);
      return isRefusal(process) ? process : whyOfProcess(process);
    },
  };
}
