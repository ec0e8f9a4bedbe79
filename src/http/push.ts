/** Where a browser wants to be told when its page is closed. */
import type { Context } from 'hono';
import { z } from 'zod';
import type { BrowserId } from '../contract/ids.js';
import { PushAnswer, PushRequest } from '../contract/people.js';
import { isRefusal, refuse, type Refusal } from '../contract/refusal.js';
import type { Push } from '../ports/push.js';
import type { Subscriptions } from '../runtime/people/subscriptions.js';
import type { Bindings } from './guard.js';
import type { Routes } from './routes.js';

export type PushParts = { readonly push: Push; readonly subscriptions: Subscriptions };

export function pushRoutes(routes: Routes, { push, subscriptions }: PushParts): void {
  /** Does the work for the browser that asks, and says how it stands afterwards. */
  const forBrowser = async (
    { var: { visitor } }: Context<Bindings>,
    work: (browser: BrowserId) => Promise<Refusal | void>,
  ): Promise<PushAnswer | Refusal> => {
    if (visitor.kind === 'token')
      return refuse('invalid', 'No browser asks here: only one that is signed in can be told by push.');
    const refusal = await work(visitor.id);
    if (isRefusal(refusal)) return refusal;
    return {
      publicKey: subscriptions.keys.publicKey,
      subscribed: subscriptions.of(visitor.id) !== undefined,
    };
  };

  routes.get(
    '/api/push',
    {
      summary: 'Tells a browser whether it is told by push, and the key to subscribe with',
      query: z.strictObject({}),
      answer: PushAnswer,
    },
    ({ context }) => forBrowser(context, async () => undefined),
  );

  routes.post(
    '/api/push',
    { summary: 'Has this browser told by push when its page is closed', body: PushRequest, answer: PushAnswer },
    ({ context, body: { subscription } }) =>
      forBrowser(context, async (browser) => push.check(subscription) ?? subscriptions.add(browser, subscription)),
  );

  routes.post(
    '/api/push/remove',
    { summary: 'Has this browser told by push no more', body: z.strictObject({}), answer: PushAnswer },
    ({ context }) => forBrowser(context, (browser) => subscriptions.remove(browser)),
  );
}
