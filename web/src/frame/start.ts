/** Runs once when the page opens: signs in with the code of the link, then connects. */
import { signal } from '@preact/signals';
import '../attention/notify';
import '../attention/title';
import '../state/seen';
import { host, reasonOf } from '../state/host';
import { keepBrowserKey, newBrowserKey } from '../live/key';
import { connect, connectNow } from '../state/live';

/** Why the last sign-in failed. */
export const signInTrouble = signal<string | undefined>(undefined);

export function startPage(): void {
  void signInByLink().then(connect);
  // Opening a link in an existing tab only changes the hash.
  addEventListener('hashchange', () => void signInByLink());
}

async function signInByLink(): Promise<void> {
  const code = /^#sign-in=(.+)$/.exec(location.hash)?.[1];
  if (!code) return;
  // Remove the code from the address before using it: the history must not contain a secret.
  history.replaceState(null, '', `${location.pathname}#/`);
  try {
    await signIn(decodeURIComponent(code));
  } catch (error) {
    signInTrouble.value = reasonOf(error);
  }
}

/** Every sign-in makes a new key, stored once the host has accepted it. */
export async function signIn(code: string): Promise<void> {
  const key = newBrowserKey();
  await host.signIn(code, key);
  keepBrowserKey(key);
  signInTrouble.value = undefined;
  connectNow();
}
