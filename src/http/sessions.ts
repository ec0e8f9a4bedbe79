/** The session part of the interface. */
import { z } from 'zod';
import { NewNoticeRequest, NoticeAnswer } from '../contract/notice.js';
import { SessionAnswer, SessionsAnswer, NewSession, SeenRequest, SessionChanges } from '../contract/session.js';
import { isRefusal } from '../contract/refusal.js';
import type { Notices } from '../runtime/notice/notices.js';
import { noticeView } from '../runtime/notice/notice-view.js';
import type { Sessions } from '../runtime/session/sessions.js';
import type { Supervisor } from '../runtime/process/supervisor.js';
import type { Store } from '../ports/store.js';
import { findSession } from './find.js';
import type { Routes } from './routes.js';

export type SessionParts = {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly notices: Notices;
  readonly supervisor: Supervisor;
};

export function sessionRoutes(routes: Routes, { store, sessions, notices, supervisor }: SessionParts): void {
  routes.post(
    '/api/sessions',
    { summary: 'Makes a session', body: NewSession, answer: SessionAnswer, status: 201 },
    async ({ body }) => {
      const { session, outcome } = await sessions.create(body);
      const told = outcome === 'made' && session.webhook ? { webhookSecret: session.webhook.secret } : {};
      return { session: await sessions.view(session), outcome, ...told };
    },
  );

  routes.get(
    '/api/sessions',
    { summary: 'Lists sessions, the one that changed last first', query: z.strictObject({}), answer: SessionsAnswer },
    async () => ({ sessions: [...(await sessions.views(await store.sessions.list()))] }),
  );

  routes.patch(
    '/api/sessions/:id',
    { summary: 'Changes a session, or closes it', body: SessionChanges, answer: SessionAnswer },
    async ({ id, body }) => {
      const session = await findSession(store, id);
      if (isRefusal(session)) return session;
      const changed = (await sessions.change(session, body)) ?? session;
      const told = body.webhook && changed.webhook ? { webhookSecret: changed.webhook.secret } : {};
      return { session: await sessions.view(changed), ...told };
    },
  );

  routes.post(
    '/api/sessions/:id/seen',
    { summary: 'Says up to which number a person has seen it', body: SeenRequest, answer: SessionAnswer },
    async ({ id, body: { seq } }) => {
      const session = await findSession(store, id);
      if (isRefusal(session)) return session;
      await sessions.see(session, seq);
      return { session: await sessions.view((await store.sessions.get(session.id)) ?? session) };
    },
  );

  routes.post(
    '/api/sessions/:id/notices',
    {
      summary: 'Adds a notice from outside; a key makes it once',
      body: NewNoticeRequest,
      answer: NoticeAnswer,
      status: 201,
    },
    async ({ id, body }) => {
      const session = await findSession(store, id);
      if (isRefusal(session)) return session;
      const { redact } = supervisor.redactor;
      const { key, from, text } = body;
      const added = await notices.add(session.id, redact(text), { key, from: redact(from) });
      if (isRefusal(added)) return added;
      const { notice, outcome } = added;
      return { notice: noticeView((await store.notices.get(notice.id)) ?? { ...notice, seq: 0 }, session), outcome };
    },
  );
}
