/** Shows a word that came while no page was looked at, and brings the person to it. Runs when no page is open, too. */
import type { Word } from 'rouse/contract/word';
import type { OpenMessage } from '../attention/open-message';

declare const self: ServiceWorkerGlobalScope;

type Sent = Omit<Word, 'seq'>;

self.addEventListener('install', () => void self.skipWaiting());

self.addEventListener('push', (event) => {
  const sent = event.data?.json() as Sent | undefined;
  if (sent) event.waitUntil(show(sent));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(goTo(String(event.notification.data)));
});

/** Whoever looks at a page is told there. Two words with one tag are one. */
async function show({ title, body, tag, url }: Sent): Promise<void> {
  const looks = (await pages()).some(({ visibilityState }) => visibilityState === 'visible');
  if (!looks) await self.registration.showNotification(title, { body, tag, data: url, icon: '/icon.svg' });
}

/** A page that is open goes there itself: it is not loaded anew for it. */
async function goTo(url: string): Promise<void> {
  const [page] = await pages();
  if (!page) return void (await self.clients.openWindow(new URL(url, self.location.origin)));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window, but a client of our own origin
  page.postMessage({ kind: 'open', url } satisfies OpenMessage);
  await page.focus();
}

const pages = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });
