/**
 * Who may come in. Every request passes here before it is routed, loopback or not:
 *
 *   1. one Host, and one that we answer to: a name that merely resolves to us is a page trying DNS rebinding;
 *   2. no foreign Origin, nothing that the browser itself calls cross-site;
 *   3. a body only as JSON: what a form or a simple request could send is refused;
 *   4. the token, compared in constant time.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { problem } from './problem.js';

export type Admission = {
  readonly token: string;
  /** The name we listen by. */
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
};

export type Bindings = { Bindings: HttpBindings };

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

export const guard =
  ({ token, host, allowedHosts, allowedOrigins }: Admission, port: () => number): MiddlewareHandler<Bindings> =>
  async (context, next) => {
    const { incoming } = context.env;
    const hosts = valuesOf(incoming.rawHeaders, 'host');
    const names = [...[...LOOPBACK, host.toLowerCase()].map((name) => `${name}:${port()}`), ...allowedHosts];
    if (hosts.length !== 1 || !names.includes(hosts[0]?.toLowerCase() ?? '') || !incoming.url?.startsWith('/'))
      return problem(
        421,
        'unknown-host',
        'This host does not answer to that name. Use the address it printed, or add the name to "allowedHosts".',
      );
    const origin = context.req.header('origin');
    const origins = [
      ...names.map((name) => `http://${name}`),
      ...allowedHosts.map((name) => `https://${name}`),
      ...allowedOrigins,
    ];
    if (origin !== undefined && !origins.includes(origin))
      return problem(403, 'foreign-origin', 'Pages of another origin may not use this host.');
    if (context.req.header('sec-fetch-site') === 'cross-site')
      return problem(403, 'foreign-origin', 'Pages of another site may not use this host.');
    if (!sameSecret(bearer(context.req.header('authorization')), token))
      return problem(
        401,
        'no-token',
        'Give the token of this host: "Authorization: Bearer …", from the file "token" in its home.',
      );
    const hasBody = !['GET', 'HEAD'].includes(context.req.method);
    if (hasBody && !/^application\/json(?:;|$)/i.test(context.req.header('content-type') ?? ''))
      return problem(415, 'not-json', 'Send the body as application/json.');
    return next();
  };

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

const bearer = (header: string | undefined): string => /^bearer (.+)$/i.exec(header ?? '')?.[1] ?? '';

const digest = (text: string) => createHash('sha256').update(text).digest();

const sameSecret = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));
