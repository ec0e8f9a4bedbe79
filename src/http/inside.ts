/** Requests that come from inside a process that Rouse started, by what they say of themselves. */
import type { Context, MiddlewareHandler } from 'hono';
import { PROCESS_HEADER } from '../contract/people.js';
import { refuse, type Refusal } from '../contract/refusal.js';
import { printable, shortened } from '../contract/display.js';
import { deedOf, type Deed } from '../domain/people/deed.js';
import type { Bindings } from './guard.js';
import { refused } from './problem.js';

export const insideProcess =
  (may: readonly Deed[]): MiddlewareHandler<Bindings> =>
  async (context, next) => {
    const process = context.req.header(PROCESS_HEADER);
    if (process === undefined) return next();
    context.set('inside', { process: shortened(printable(process), 60), may });
    const deed = deedOf(context.req.method, context.req.path);
    const objection = deed && objectionTo(context, deed);
    return objection ? refused(objection) : next();
  };

/** Why the request may not do it; nothing when it may, or comes from a person. */
export function objectionTo(context: Context<Bindings>, deed: Deed): Refusal | undefined {
  const inside = context.get('inside');
  if (!inside || inside.may.includes(deed)) return undefined;
  return refuse(
    'inside-process',
    `This comes from process ${inside.process}, which Rouse started, and a process may not do this by itself. Nothing was done. To allow it, add "${deed}" to "processesMay" in config.json of the host.`,
  );
}
