/** How a browser signs in and out, and where it receives push messages. */
import type { Context } from 'hono';
import type { BrowserId } from '../contract/ids.js';
import type { PushAnswer } from '../contract/people.js';
import { isRefusal, refuse, type Refusal } from '../contract/refusal.js';
import type { routes } from '../contract/routes.js';
import type { Push } from '../ports/push.js';
import type { Browsers, SignInLinks } from '../runtime/people/sign-in.js';
import type { Subscriptions } from '../runtime/people/subscriptions.js';
import type { Address } from './address.js';
import type { Bindings } from './guard.js';
import { problem } from './problem.js';
import type { Handlers } from './router.js';
import { iso } from '../ports/clock.js';

export type PeopleParts = {
  readonly browsers: Browsers;
  readonly links: SignInLinks;
  readonly push: Push;
  readonly subscriptions: Subscriptions;
  readonly address: Address;
  readonly version: string;
};

/** The code stands behind the #, which a browser does not send, so no log and no proxy sees it. */
export const linkTo = (url: string, code: string): string => `${url}/#sign-in=${code}`;

export function peopleHandlers(parts: PeopleParts): Handlers<typeof routes.people> {
  const { browsers, links, push, subscriptions, address, version } = parts;

  /** Does the work for the browser that asks, and reports its subscription afterwards. */
  const forBrowser = async (
    { var: { visitor } }: Context<Bindings>,
    work: (browser: BrowserId) => Promise<Refusal | void>,
  ): Promise<PushAnswer | Refusal> => {
    if (visitor.kind === 'token') return refuse('invalid', 'Only a signed-in browser can receive push messages.');
    const refusal = await work(visitor.id);
    if (isRefusal(refusal)) return refusal;
    return { publicKey: subscriptions.keys.publicKey, subscribed: subscriptions.of(visitor.id) !== undefined };
  };

  return {
    signInLink: async ({ context }) => {
      const { code, expiresAt } = links.issue();
      return { url: linkTo(address.seenBy(callerOf(context)), code), expiresAt: iso(expiresAt) };
    },

    signIn: async ({ body: { code, key }, context }) => {
      if (links.take(code) === 'wrong')
        return problem(
          401,
          'wrong-code',
          'This link was used already or is too old. Run `rouse open` for a fresh one.',
        );
      const isSecure = callerOf(context).origin?.startsWith('https:') ?? false;
      const { browser, secret } = await browsers.signIn({ key, secure: isSecure });
      context.header('set-cookie', address.cookie(secret, browser.secure));
      return { signedIn: true };
    },

    signOut: async ({ body: { everywhere }, context }) => {
      const { visitor } = context.var;
      if (visitor.kind === 'token' && !everywhere)
        return refuse(
          'invalid',
          'This request does not come from a browser. Pass "everywhere" to sign all browsers out.',
        );
      if (visitor.kind === 'browser') context.header('set-cookie', address.noCookie);
      if (visitor.kind === 'browser' && !everywhere) return { signedOut: await browsers.signOut(visitor.id) };
      // First: a link that is still good could bring a browser back in between.
      links.voidAll();
      return { signedOut: await browsers.signOut('all') };
    },

    me: async ({
      context: {
        var: { visitor },
      },
    }) => {
      const browser = visitor.kind === 'browser' ? browsers.get(visitor.id) : undefined;
      return {
        ...(browser && { browser: { id: browser.id, signedInAt: iso(browser.signedInAt) } }),
        version,
      };
    },

    pushed: ({ context }) => forBrowser(context, async () => undefined),

    subscribe: ({ context, body: { subscription } }) =>
      forBrowser(context, async (browser) => push.check(subscription) ?? subscriptions.add(browser, subscription)),

    unsubscribe: ({ context }) => forBrowser(context, (browser) => subscriptions.remove(browser)),
  };
}

const callerOf = ({ req }: Context<Bindings>) => ({ host: req.header('host') ?? '', origin: req.header('origin') });
