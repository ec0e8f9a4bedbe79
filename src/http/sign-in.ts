/** How a browser comes in and goes. */
import type { Context } from 'hono';
import { z } from 'zod';
import {
  MeAnswer,
  SignInAnswer,
  SignInLinkAnswer,
  SignInRequest,
  SignOutAnswer,
  SignOutRequest,
} from '../contract/people.js';
import { refuse } from '../contract/refusal.js';
import type { Browsers, SignInLinks } from '../runtime/people/sign-in.js';
import type { Address } from './address.js';
import { cookie, noCookie } from './cookie.js';
import { SIGN_IN, type Bindings } from './guard.js';
import { problem } from './problem.js';
import type { Routes } from './routes.js';

export type SignInParts = {
  readonly browsers: Browsers;
  readonly links: SignInLinks;
  readonly version: string;
};

/** Anybody may send one: enough for a code and a key, and no more. */
const SIGN_IN_LIMITS = { bytes: 1_024, ms: 5_000 };

/** The code stands behind the #: a browser keeps that to itself, so that no log and no proxy sees it. */
export const linkTo = (url: string, code: string): string => `${url}/#sign-in=${code}`;

export function signInRoutes(routes: Routes, { browsers, links, version }: SignInParts, address: Address): void {
  routes.post(
    '/api/sign-in-links',
    {
      summary: 'Makes a link that signs a browser in, once',
      body: z.strictObject({}),
      answer: SignInLinkAnswer,
      status: 201,
    },
    async ({ context }) => {
      const { code, expiresAt } = links.issue();
      return { url: linkTo(address.seenBy(asked(context)), code), expiresAt: new Date(expiresAt).toISOString() };
    },
  );

  routes.post(
    SIGN_IN,
    {
      summary: 'Signs this browser in by the code of a link',
      body: SignInRequest,
      limits: SIGN_IN_LIMITS,
      answer: SignInAnswer,
      open: true,
    },
    async ({ body, context }) => {
      if (links.take(body.code) === 'wrong')
        return problem(
          401,
          'wrong-code',
          'This link was used already or is too old. Run `rouse open` for a fresh one.',
        );
      const { browser, secret } = await browsers.signIn({
        key: body.key,
        secure: asked(context).origin?.startsWith('https:') ?? false,
      });
      context.header('set-cookie', cookie(address.port(), secret, browser.secure));
      return { signedIn: true as const };
    },
  );

  routes.post(
    '/api/sign-out',
    {
      summary: 'Signs this browser out, or all of them, and then voids unused links too',
      body: SignOutRequest,
      answer: SignOutAnswer,
    },
    async ({ body, context }) => {
      const { visitor } = context.var;
      if (visitor.kind === 'token' && !body.everywhere)
        return refuse('invalid', 'No browser asks here. With "everywhere" all of them are signed out.');
      if (visitor.kind === 'browser') context.header('set-cookie', noCookie(address.port()));
      if (visitor.kind === 'browser' && !body.everywhere) return { signedOut: await browsers.signOut(visitor.id) };
      // First: a link that is still good could bring a browser back in between.
      links.voidAll();
      return { signedOut: await browsers.signOut('all') };
    },
  );

  routes.get(
    '/api/me',
    { summary: 'Tells a browser whether it is signed in', query: z.strictObject({}), answer: MeAnswer },
    async ({ context }) => {
      const { visitor } = context.var;
      const browser = visitor.kind === 'browser' ? browsers.get(visitor.id) : undefined;
      return {
        ...(browser && { browser: { id: browser.id, signedInAt: new Date(browser.signedInAt).toISOString() } }),
        version,
      };
    },
  );
}

const asked = ({ req }: Context<Bindings>) => ({ host: req.header('host') ?? '', origin: req.header('origin') });
