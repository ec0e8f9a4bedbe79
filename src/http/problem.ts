/** Refusals and faults as RFC 9457 problem documents. */
import type { Problem } from '../contract/host.js';
import type { Refusal } from '../contract/refusal.js';
import { StoreFault } from '../ports/store.js';
import { errno } from '../errno.js';

const STATUS: Record<Refusal['refused'], number> = {
  invalid: 400,
  'not-found': 404,
  ambiguous: 409,
  'no-such-directory': 422,
  'no-such-shell': 422,
  'no-such-place': 422,
  'place-unreachable': 503,
  'did-not-start': 503,
  'limit-reached': 429,
  'already-ended': 409,
  'not-running-yet': 409,
  'input-closed': 409,
  'input-full': 409,
  'no-terminal': 409,
  'output-damaged': 410,
  'already-settled': 409,
  'key-taken': 409,
  'session-closed': 409,
  'no-agent': 409,
  'too-large': 413,
  'inside-process': 403,
  stopping: 503,
};

export const problem = (status: number, word: string, detail: string): Response =>
  document({ type: `/problems/${word}`, title: word.replaceAll('-', ' '), status, detail });

export const refused = ({ refused: word, why, candidates }: Refusal): Response =>
  document({
    type: `/problems/${word}`,
    title: word.replaceAll('-', ' '),
    status: STATUS[word],
    detail: why,
    ...(candidates && { candidates: [...candidates] }),
  });

/** A fault tells the caller what he can do about it, and nothing about our insides. */
export function faulted(error: unknown): Response {
  if (error instanceof StoreFault) return problem(503, 'store-unavailable', error.message);
  const code = errno(error);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return problem(
      507,
      'no-room',
      'There is no room on the disk of this host. Nothing was changed; make room and try again.',
    );
  if (code === 'EROFS' || code === 'EACCES')
    return problem(503, 'home-not-writable', 'The home of this host cannot be written. Nothing was changed.');
  return problem(500, 'fault', 'Something went wrong inside the host; its log says what.');
}

function document(body: Problem): Response {
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: { 'content-type': 'application/problem+json' },
  });
}
