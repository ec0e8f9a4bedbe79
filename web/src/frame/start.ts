/** What happens once, when the page is opened: signs in with the link's code, then connects. */
import { signal } from '@preact/signals';
import '../attention/notify';
import '../attention/title';
import '../state/seen';
import { host, reasonOf } from '../state/host';
import { keepBrowserKey, newBrowserKey } from '../live/key';
import { connect, connectNow } from '../state/live';

/** Why the link that brought us here did not let us in. */
export const signInTrouble = signal<string | undefined>(undefined);

export function startPage(): void {
  void signInByLink().then(connect);
  // A link opened in a tab that is there already only changes the address.
  addEventListener('hashchange', () => void signInByLink());
}

async function signInByLink(): Promise<void> {
  const code = /^#sign-in=(.+)$/.exec(location.hash)?.[1];
  if (!code) return;
  // Gone from the address before it is used: it is no place for a secret, not even one that works once.
  history.replaceState(null, '', `${location.pathname}#/`);
  try {
    await signIn(decodeURIComponent(code));
  } catch (error) {
    signInTrouble.value = reasonOf(error);
  }
}

/** With a key of its own for every sign-in, kept once the host has accepted it. */
export async function signIn(code: string): Promise<void> {
  const key = newBrowserKey();
  await host.signIn(code, key);
  keepBrowserKey(key);
  signInTrouble.value = undefined;
  connectNow();
}
