/** Who calls a host: how a browser signs in and out, and where it receives push messages. */
import { z } from 'zod';
import { BrowserId } from './ids.js';

/**
 * The half of a browser's credential that its page makes and keeps in the storage of its origin; the other half is the
 * cookie. A browser sends the cookie to every port of an address. The storage belongs to one port.
 */
export const KEY_HEADER = 'rouse-key';

const BrowserKey = z
  .string('this page belongs to an earlier version of Rouse. Reload it, then open the link again')
  .regex(/^[\w-]{43}$/, 'a key is 32 random bytes as base64url');

export const SignInRequest = z.strictObject({ code: z.string().min(1).max(200), key: BrowserKey });

export const SignOutRequest = z.strictObject({
  /** Every browser, not this one alone. */
  everywhere: z.boolean().default(false),
});

/** Who sends the request; without `browser`, a program with the token. */
export const MeAnswer = z.object({
  browser: z.object({ id: BrowserId, signedInAt: z.string() }).optional(),
  version: z.string(),
});

/** In which a command inside a process that Rouse started says so. */
export const PROCESS_HEADER = 'rouse-process';

const key = z.string().regex(/^[\w-]{1,200}$/, 'a key is base64url');

/** As the browser's own `PushSubscription` says it; what else it says is not kept. */
export const PushRequest = z.strictObject({
  subscription: z.object({
    endpoint: z.url({ protocol: /^https?$/, error: 'it must be an https address' }).max(2_000),
    keys: z.object({ p256dh: key, auth: key }),
  }),
});

export const PushAnswer = z.object({
  /** By which the browser's push service will know this host. */
  publicKey: z.string(),
  /** Whether this browser gets pushes. */
  subscribed: z.boolean(),
});
export type PushAnswer = z.infer<typeof PushAnswer>;
