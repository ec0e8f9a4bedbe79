/**
 * Who may call. Every request passes here first, loopback or not:
 *
 *   1. one Host header, with a name of ours: another name that resolves to us is a page trying DNS rebinding;
 *   2. the files of the page are public: they hold no secret;
 *   3. no foreign Origin, nothing that the browser itself calls cross-site;
 *   4. the token, compared in constant time, or the credential of a signed-in browser: a cookie and the key that only
 *      our own page has. A browser sends its cookie to every port of an address and from pages of every port, so the
 *      cookie alone opens nothing;
 *   5. a body only as JSON, or as bytes where a file is taken: what a form or a simple request could send is refused;
 *   6. a process that Rouse started only looks, starts processes without a session and deals with such processes, unless
 *      the configuration permits more. It runs as the owner and could use the owner's token, so it identifies itself by
 *      a header. No permission makes it a person: it never approves a command.
 */
import { timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { printable, shortened } from '../contract/display.js';
import type { BrowserId } from '../contract/ids.js';
import { KEY_HEADER, PROCESS_HEADER } from '../contract/people.js';
import { refuse, type Refusal } from '../contract/refusal.js';
import { permissionFor, type Permission, type Route } from '../contract/route.js';
import { digestOf, type Browsers } from '../runtime/people/sign-in.js';
import type { Address } from './address.js';
import type { Connections } from './connections.js';
import { problem, refused } from './problem.js';

export type GuardParts = {
  readonly token: string;
  readonly address: Address;
  readonly browsers: Browsers;
  readonly connections: Connections;
  readonly page: { has(path: string): boolean };
  /** What processes may do to this host. */
  readonly processesMay: readonly Permission[];
  readonly stopping: AbortSignal;
  readonly fault: (during: string, error: unknown) => void;
};

export type Visitor = ({ readonly kind: 'token' } | { readonly kind: 'browser'; readonly id: BrowserId }) & {
  /** Aborted when the browser is signed out or the host stops: its streams end then. */
  readonly stay: AbortSignal;
};

/** The process that a request comes from, and what processes may do. */
export type Inside = { readonly process: string; readonly may: readonly Permission[] };

/** There is no visitor where the page is served, where a browser signs in, and for a probe. */
export type Bindings = { Bindings: HttpBindings; Variables: { visitor: Visitor; inside: Inside | undefined } };

/** The response to a request that may not pass. */
export type Admit = (context: Context<Bindings>, route?: Route) => Response | undefined;

export const isRead = ({ req: { method } }: Context<Bindings>): boolean => method === 'GET' || method === 'HEAD';

export const guard =
  (parts: GuardParts): Admit =>
  (context, route) => {
    const { address, connections, page } = parts;
    const isProbe = route?.access === 'probe' && context.req.header('authorization') === undefined;
    if (!isMeantForUs(context, (name) => isProbe || address.answersTo(name)))
      return problem(
        421,
        'unknown-host',
        'This host does not accept that Host header. Use the address that "rouse serve" printed, or add the name to "allowedHosts" in config.json.',
      );
    if (isRead(context) && page.has(context.req.path)) return undefined;
    const origin = context.req.header('origin');
    if (origin !== undefined && !address.isOwn(origin))
      return problem(403, 'foreign-origin', 'Pages of another origin may not use this host.');
    if (context.req.header('sec-fetch-site') === 'cross-site')
      return problem(403, 'foreign-origin', 'Pages of another site may not use this host.');
    if (!isProbe && route?.access !== 'anyone') {
      const visitor = visitorOf(context, parts);
      if (visitor instanceof Response) return visitor;
      connections.admit(context.env.incoming.socket);
      context.set('visitor', visitor);
    }
    return wrongType(context, route) ?? notPermitted(context, route, parts.processesMay);
  };

function isMeantForUs({ env: { incoming } }: Context<Bindings>, answersTo: (name: string) => boolean): boolean {
  const [host, ...more] = valuesOf(incoming.rawHeaders, 'host');
  return host !== undefined && more.length === 0 && answersTo(host) && incoming.url?.startsWith('/') === true;
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

function wrongType(context: Context<Bindings>, route: Route | undefined): Response | undefined {
  const type = route?.takes === 'bytes' ? 'application/octet-stream' : 'application/json';
  return isRead(context) || context.req.header('content-type')?.toLowerCase().split(';')[0] === type
    ? undefined
    : problem(415, 'wrong-type', `Send the body as ${type}.`);
}

export const isKnown = (context: Context<Bindings>): boolean =>
  (context.get('visitor') as Visitor | undefined) !== undefined;

function visitorOf(context: Context<Bindings>, parts: GuardParts): Visitor | Response {
  const authorization = context.req.header('authorization');
  const secret = parts.address.secretIn(context.req.header('cookie'));
  if (authorization === undefined && secret !== undefined) return browserOf(context, parts, secret);
  return sameSecret(bearer(authorization), parts.token)
    ? { kind: 'token', stay: parts.stopping }
    : problem(
        401,
        'no-token',
        'Send the token of this host, from the file "token" in its home, as "Authorization: Bearer …". To sign a browser in, run: rouse open',
      );
}

function browserOf(
  context: Context<Bindings>,
  { address, browsers, fault }: GuardParts,
  secret: string,
): Visitor | Response {
  const isOriginMissing = !isRead(context) && context.req.header('origin') === undefined;
  if (context.req.header('sec-fetch-site') === 'same-site' || isOriginMissing)
    return problem(
      403,
      'foreign-origin',
      'This host accepts a cookie only from its own page. A program must send the token instead.',
    );
  const browser = browsers.of({ secret, key: context.req.header(KEY_HEADER) ?? '' });
  if (!browser)
    return problem(401, 'signed-out', 'This browser is not signed in. Run `rouse open` for a link to sign in.');
  if (browsers.isUseWorthNoting(browser)) {
    // On the raw response, so that a stream carries it too.
    context.env.outgoing.setHeader('set-cookie', address.cookie(secret, browser.secure));
    browsers.use(browser).catch((error: unknown) => fault('noting the use of a browser', error));
  }
  return { kind: 'browser', id: browser.id, stay: browsers.stay(browser.id) };
}

const bearer = (header: string | undefined): string => /^bearer (.+)$/i.exec(header ?? '')?.[1] ?? '';

const sameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(Buffer.from(digestOf(given)), Buffer.from(digestOf(expected)));

function notPermitted(
  context: Context<Bindings>,
  route: Route | undefined,
  may: readonly Permission[],
): Response | undefined {
  const process = context.req.header(PROCESS_HEADER);
  if (process === undefined || !route) return undefined;
  context.set('inside', { process: shortened(printable(process), 60), may });
  const permission = permissionFor(route);
  if (permission === undefined || permission === 'by-owner') return undefined;
  const objection = objectionTo(context, permission);
  return objection && refused(objection);
}

/** Refuses a request from inside a process that needs a permission and does not have it. */
export function objectionTo(context: Context<Bindings>, permission: Permission): Refusal | undefined {
  const inside = context.get('inside');
  if (!inside || inside.may.includes(permission)) return undefined;
  return refuse(
    'inside-process',
    `Process ${inside.process}, which Rouse started, sent this request, and by default a process may not do this. Nothing was done. To allow it, add "${permission}" to "processesMay" in the host's config.json.`,
  );
}
