/**
 * Who may come in. Every request passes here before it is routed, loopback or not:
 *
 *   1. one Host, and one that we answer to: a name that merely resolves to us is a page trying DNS rebinding;
 *   2. the files of the page are for anybody who came so far: they hold no secret;
 *   3. no foreign Origin, nothing that the browser itself calls cross-site;
 *   4. the token, compared in constant time, or the credential of a browser that is signed in: a cookie and the key that
 *      only our own page has. A browser sends its cookie by itself, to every port of an address and from pages of every
 *      port, so the cookie alone opens nothing;
 *   5. a body only as JSON: what a form or a simple request could send is refused. Where files are put it is bytes.
 *
 * Signing in needs neither token nor browser. Nor does the status, which answers to every Host: the probes of an
 * orchestrator know a container by its address alone, and the status is all that they learn.
 */
import { timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';
import type { BrowserId } from '../contract/ids.js';
import { KEY_HEADER } from '../contract/people.js';
import { type Browsers, digestOf } from '../runtime/people/sign-in.js';
import type { Address } from './address.js';
import type { Deed } from '../domain/people/deed.js';
import type { Connections } from './connections.js';
import { cookie, secretIn } from './cookie.js';
import { problem } from './problem.js';

export type Admission = {
  readonly token: string;
  readonly address: Address;
  readonly browsers: Browsers;
  readonly connections: Connections;
  /** Whether a file of the page stands at this path. */
  readonly isPage: (path: string) => boolean;
  readonly stopping: AbortSignal;
  readonly fault: (during: string, error: unknown) => void;
};

export type Visitor = ({ readonly kind: 'token' } | { readonly kind: 'browser'; readonly id: BrowserId }) & {
  /** Aborted when he has to go: he was signed out, or the host stops. What is open for him ends then. */
  readonly stay: AbortSignal;
};

/** A request that says that it comes from a process that Rouse started, and what processes may do. */
export type Inside = { readonly process: string; readonly may: readonly Deed[] };

/** The visitor is known wherever a token or a cookie is needed: not where the page is served, nor where one signs in. */
export type Bindings = { Bindings: HttpBindings; Variables: { visitor: Visitor; inside: Inside | undefined } };

export const SIGN_IN = '/api/sign-in';
export const HEALTH = '/healthz';
const FILE = /^\/api\/sessions\/[^/]+\/files\/[^/]+$/;

export const guard =
  (admission: Admission): MiddlewareHandler<Bindings> =>
  async (context, next) => {
    const { method, path } = context.req;
    const reads = ['GET', 'HEAD'].includes(method);
    const isProbe = reads && path === HEALTH && context.req.header('authorization') === undefined;
    if (!isMeantForUs(context, isProbe ? () => true : (name) => admission.address.answersTo(name)))
      return problem(
        421,
        'unknown-host',
        'This host does not answer to that name. Use the address it printed, or add the name to "allowedHosts".',
      );
    if (reads && admission.isPage(path)) return next();
    const origin = context.req.header('origin');
    if (origin !== undefined && !admission.address.isOwn(origin))
      return problem(403, 'foreign-origin', 'Pages of another origin may not use this host.');
    if (context.req.header('sec-fetch-site') === 'cross-site')
      return problem(403, 'foreign-origin', 'Pages of another site may not use this host.');
    if (!isProbe && (method !== 'POST' || path !== SIGN_IN)) {
      const visitor = visitorOf(context, admission, reads);
      if (visitor instanceof Response) return visitor;
      admission.connections.admit(context.env.incoming.socket);
      context.set('visitor', visitor);
    }
    const type = method === 'PUT' && FILE.test(path) ? 'application/octet-stream' : 'application/json';
    if (!reads && context.req.header('content-type')?.toLowerCase().split(';')[0] !== type)
      return problem(415, 'wrong-type', `Send the body as ${type}.`);
    return next();
  };

function isMeantForUs({ env: { incoming } }: Context<Bindings>, answersTo: (name: string) => boolean): boolean {
  const [host, ...more] = valuesOf(incoming.rawHeaders, 'host');
  return host !== undefined && more.length === 0 && answersTo(host) && incoming.url?.startsWith('/') === true;
}

export const isKnown = (context: Context<Bindings>): boolean =>
  (context.get('visitor') as Visitor | undefined) !== undefined;

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

function visitorOf(context: Context<Bindings>, admission: Admission, reads: boolean): Visitor | Response {
  const authorization = context.req.header('authorization');
  const secret = secretIn(context.req.header('cookie'), admission.address.port());
  if (authorization === undefined && secret !== undefined) return browserOf(context, admission, secret, reads);
  return sameSecret(bearer(authorization), admission.token)
    ? { kind: 'token', stay: admission.stopping }
    : problem(
        401,
        'no-token',
        'Give the token of this host: "Authorization: Bearer …", from the file "token" in its home. A browser signs in by a link: rouse open',
      );
}

function browserOf(
  context: Context<Bindings>,
  admission: Admission,
  secret: string,
  reads: boolean,
): Visitor | Response {
  const { address, browsers, fault } = admission;
  if (context.req.header('sec-fetch-site') === 'same-site' || (!reads && context.req.header('origin') === undefined))
    return problem(403, 'foreign-origin', 'With a cookie only the page of this host may use it.');
  const browser = browsers.of({ secret, key: context.req.header(KEY_HEADER) ?? '' });
  if (!browser)
    return problem(401, 'signed-out', 'This browser is not signed in. Run `rouse open` for a link to sign in.');
  if (browsers.isUseWorthNoting(browser)) {
    // On the raw answer, so that a stream, too, brings it.
    context.env.outgoing.setHeader('set-cookie', cookie(address.port(), secret, browser.secure));
    browsers.use(browser).catch((error: unknown) => fault('noting the use of a browser', error));
  }
  return { kind: 'browser', id: browser.id, stay: browsers.stay(browser.id) };
}

const bearer = (header: string | undefined): string => /^bearer (.+)$/i.exec(header ?? '')?.[1] ?? '';

const sameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(Buffer.from(digestOf(given)), Buffer.from(digestOf(expected)));
