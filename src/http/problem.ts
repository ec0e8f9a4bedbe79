/** Refusals and faults as RFC 9457 problem documents. */
import type { Problem } from '../contract/host.js';
import { REFUSALS, type Refusal } from '../contract/refusal.js';
import { StoreFault } from '../ports/store.js';
import { errno } from '../errno.js';

export const problem = (
  status: number,
  word: string,
  detail: string,
  more: { candidates?: string[] } = {},
): Response => {
  const body: Problem = { type: `/problems/${word}`, title: word.replaceAll('-', ' '), status, detail, ...more };
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/problem+json' } });
};

export const refused = ({ refused: word, why, candidates }: Refusal): Response =>
  problem(REFUSALS[word], word, why, candidates && { candidates: [...candidates] });

/** Says what the caller can do about a fault, and nothing about the inside of the host. */
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
  return problem(
    500,
    'fault',
    'The host had an internal error. See its log: host.log in its home, or the terminal of "rouse serve".',
  );
}
