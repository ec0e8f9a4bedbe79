/** Turns notifications on and off: browser permission, service worker, push subscription. */
import { scriptOf } from '../live/scripts';
import { attempt, host } from '../state/host';
import { readWhenOpen } from '../state/live';
import { showMessage } from '../state/messages';
import { canNotify, notificationsEnabled, setPreference } from './preference';

/** Browsers allow this only in reaction to a click or a key. */
export async function enableNotifications(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    setPreference('off');
    return showMessage({
      tone: 'trouble',
      text: 'The browser blocks notifications of this page. Allow them in its site settings.',
    });
  }
  setPreference('on');
  const pushed = await subscribe();
  showMessage({
    tone: 'good',
    text: pushed
      ? 'Notifications are on for this device, also when this page is closed.'
      : 'Notifications are on for this device while a Rouse page is open. This browser has no push service.',
  });
}

export async function disableNotifications(): Promise<void> {
  setPreference('off');
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  await attempt(() => host.unsubscribe());
  showMessage({ tone: 'good', text: 'Notifications are off for this device.' });
}

/** False without a push service: then the browser notifies only while a page is open. */
async function subscribe(): Promise<boolean> {
  await navigator.serviceWorker.register(scriptOf('push'));
  const registration = await navigator.serviceWorker.ready;
  try {
    const { publicKey, subscribed } = await host.pushed();
    const known = await registration.pushManager.getSubscription();
    if (known && keyOf(known) === publicKey && subscribed) return true;
    // It belongs to another host, or to this one before its home was recreated.
    if (known && keyOf(known) !== publicKey) await known.unsubscribe();
    const subscription = await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: publicKey,
    });
    const { endpoint = '', keys = {} } = subscription.toJSON();
    await host.subscribe({ endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } });
    return true;
  } catch {
    // AbortError, NotAllowedError: no push service. If the host is away, we retry when the stream opens.
    return false;
  }
}

const keyOf = ({ options: { applicationServerKey } }: PushSubscription): string =>
  applicationServerKey
    ? btoa(String.fromCharCode(...new Uint8Array(applicationServerKey)))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '')
    : '';

// After a new sign-in the host treats this browser as a new one.
if (canNotify) readWhenOpen(() => void (notificationsEnabled() && subscribe()));
