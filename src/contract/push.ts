/** How a browser says where it wants to be told when its page is closed. */
import { z } from 'zod';

const key = z.string().regex(/^[\w-]{1,200}$/, 'a key is base64url');

/** As the browser's own `PushSubscription` says it; what else it says is not kept. */
export const PushRequest = z.strictObject({
  subscription: z.object({
    endpoint: z.url({ protocol: /^https?$/, error: 'it must be an https address' }).max(2_000),
    keys: z.object({ p256dh: key, auth: key }),
  }),
});
export type PushRequest = z.infer<typeof PushRequest>;

export const PushAnswer = z.object({
  /** By which the browser's push service will know this host. */
  publicKey: z.string(),
  /** Whether this browser is told. */
  subscribed: z.boolean(),
});
export type PushAnswer = z.infer<typeof PushAnswer>;
