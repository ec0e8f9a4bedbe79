/**
 * What a command that Rouse started may do to Rouse itself. It runs as the owner and could hold his token, so it is
 * asked to say so, and then it only looks, starts processes without a session and deals with such processes, unless the
 * owner's configuration allows more.
 *
 *   1. Whatever is not known to be harmless is a deed: a route that is new is refused until it is named here.
 *   2. No allowance makes a process a person: it never approves a command.
 */
export type Deed = 'notify' | 'send' | 'answer' | 'run' | 'sessions' | 'processes' | 'open';

const of = (path: string): RegExp => new RegExp(`^/api/${path}$`);

/** The first that fits. Deeds of processes depend on whose they are, and are judged where that is known. */
const DEEDS: readonly (readonly [RegExp, Deed | undefined])[] = [
  [of('sessions/[^/]+/notices'), 'notify'],
  [of('sessions/[^/]+/messages(/.*)?'), 'send'],
  [of('sessions/[^/]+/files/.*'), 'send'],
  [of('sessions/[^/]+/answers'), 'answer'],
  [of('processes(/.*)?'), undefined],
  [of('(sign-in|sign-in-links|sign-out|push)(/.*)?'), 'open'],
];

/** Reading changes nothing; but a question exactly as it was asked is for those who may answer it. */
export function deedOf(method: string, path: string): Deed | undefined {
  if (method === 'GET' || method === 'HEAD') return of('sessions/[^/]+/questions').test(path) ? 'answer' : undefined;
  const found = DEEDS.find(([pattern]) => pattern.test(path));
  return found ? found[1] : 'sessions';
}
