import type { Finding } from '../../contract/host.js';

export type { Finding } from '../../contract/host.js';

export const ok = (check: string, says: string): Finding => ({ check, verdict: 'ok', says });
export const warn = (check: string, says: string): Finding => ({ check, verdict: 'warn', says });
export const fail = (check: string, says: string): Finding => ({ check, verdict: 'fail', says });

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Only its cause says what happened.
  return error.message === 'fetch failed' && error.cause instanceof Error ? error.cause.message : error.message;
}

/** A check that throws is a finding too, so that the other checks are still reported. */
export async function tried(
  check: string,
  look: () => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    return [fail(check, `Could not be checked: ${reasonOf(error)}.`)];
  }
}
