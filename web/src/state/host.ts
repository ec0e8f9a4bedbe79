/** The client for the host. */
import { HostUnreachable, RouseClient, RouseProblem } from 'rouse/client/client';
import { browserKey } from '../live/key';
import { showMessage } from './messages';

export const host = new RouseClient(location.origin, undefined, { key: browserKey });

/** Runs a person's action; on failure, shows the reason and returns undefined. */
export async function attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    showMessage({ tone: 'trouble', text: reasonOf(error) });
    return undefined;
  }
}

export function reasonOf(error: unknown): string {
  if (error instanceof RouseProblem) return error.message;
  if (error instanceof HostUnreachable) return 'The host does not answer. Check that it is running, then try again.';
  return error instanceof Error ? error.message : String(error);
}
