/** The notice part of the interface. */
import { z } from 'zod';
import { NoticeAnswer, NoticesQuery, WhyAnswer, NoticesAnswer } from '../contract/notice.js';
import { isRefusal } from '../contract/refusal.js';
import { stateOf } from '../domain/session/mailbox.js';
import { why, whyNothing, whySession } from '../domain/notice/why.js';
import { whyHeldBack } from '../domain/notice/why-held-back.js';
import type { Conversation } from '../runtime/session/conversation.js';
import type { Notices } from '../runtime/notice/notices.js';
import { NoticeViews } from '../runtime/notice/notice-view.js';
import type { Supervisor } from '../runtime/process/supervisor.js';
import type { NoticeRecord, SessionRecord, Store } from '../ports/store.js';
import { findNotice, findProcess, findSession } from './find.js';
import type { Routes } from './routes.js';

export type NoticeParts = {
  readonly store: Store;
  readonly supervisor: Supervisor;
  readonly notices: Notices;
  readonly conversation: Conversation;
};

export function noticeRoutes(routes: Routes, { store, supervisor, notices, conversation }: NoticeParts): void {
  const views = new NoticeViews(store);

  routes.get(
    '/api/notices',
    { summary: 'Lists notices, the newest first', query: NoticesQuery, answer: NoticesAnswer },
    async ({ query: { session, process, state, limit } }) => {
      const ofSession = session === undefined ? undefined : await findSession(store, session);
      if (isRefusal(ofSession)) return ofSession;
      const ofProcess = process === undefined ? undefined : await findProcess(store, supervisor, process);
      if (isRefusal(ofProcess)) return ofProcess;
      const found = await store.notices.list({
        ...(ofSession && { session: ofSession.id }),
        ...(ofProcess && { process: ofProcess.id }),
        ...(state && { state }),
        ...(limit && { limit }),
      });
      return { notices: await views.all(found) };
    },
  );

  routes.get(
    '/api/notices/:id',
    { summary: 'Shows one notice', query: z.strictObject({}), answer: NoticeAnswer },
    async ({ id }) => {
      const notice = await findNotice(store, id);
      return isRefusal(notice) ? notice : { notice: await views.of(notice) };
    },
  );

  routes.post(
    '/api/notices/:id/retry',
    { summary: 'Tries a dead notice again', body: z.strictObject({}), answer: NoticeAnswer },
    async ({ id }) => {
      const found = await findNotice(store, id);
      const notice = isRefusal(found) ? found : await notices.retry(found.id);
      return isRefusal(notice) ? notice : { notice: await views.of(notice) };
    },
  );

  routes.post(
    '/api/notices/:id/dismiss',
    { summary: 'Settles a notice that nobody needs any more', body: z.strictObject({}), answer: NoticeAnswer },
    async ({ id }) => {
      const found = await findNotice(store, id);
      const notice = isRefusal(found) ? found : await notices.dismiss(found.id, 'person');
      return isRefusal(notice) ? notice : { notice: await views.of(notice) };
    },
  );

  routes.get(
    '/api/why/:id',
    {
      summary: 'Explains what became of a notice or of all notices of a process, or what a session waits for',
      query: z.strictObject({}),
      answer: WhyAnswer,
    },
    async ({ id }) => {
      if (id.startsWith('ntc_')) {
        const notice = await findNotice(store, id);
        return isRefusal(notice) ? notice : { sentences: [await explained(notice)], notices: [await views.of(notice)] };
      }
      if (id.startsWith('ses_')) {
        const session = await findSession(store, id);
        return isRefusal(session) ? session : explainedSession(session);
      }
      const process = await findProcess(store, supervisor, id);
      if (isRefusal(process)) return process;
      const found = await store.notices.list({ process: process.id });
      const sentences = await Promise.all(found.toReversed().map(explained));
      sentences.push(...whyHeldBack(process, process.watch?.state, { silentUntil: supervisor.silentUntil, time: iso }));
      const nothing = whyNothing({
        ...process,
        state: process.lifecycle.kind,
        searched: process.watch?.mark.position,
      });
      return { sentences: sentences.length > 0 ? sentences : [nothing], notices: await views.all(found) };
    },
  );

  async function explained(notice: NoticeRecord): Promise<string> {
    const session = await store.sessions.get(notice.session);
    return why(notice, {
      time: iso,
      session: session?.title,
      ...(session?.webhook && { reader: 'the webhook' }),
      ...(session && { holds: await conversation.holdsOn(session, notice.id) }),
    });
  }

  async function explainedSession(session: SessionRecord) {
    const found = await store.notices.list({ session: session.id, state: 'pending' });
    const names = { time: iso, session: session.title, holds: await conversation.holdsOn(session) };
    const queried = { id: session.id, state: stateOf(session.mailbox), owed: found.length };
    const owed = await Promise.all(found.toReversed().map(explained));
    return { sentences: [whySession(queried, names), ...owed], notices: await views.all(found) };
  }
}

const iso = (at: number): string => new Date(at).toISOString();
