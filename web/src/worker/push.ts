/** The service worker: shows pushed notifications and opens the page they belong to. Also runs when no page is open. */
import type { Alert } from 'rouse/contract/alert';
import type { OpenMessage } from '../attention/open-message';

declare const self: ServiceWorkerGlobalScope;

type Sent = Omit<Alert, 'seq'>;

self.addEventListener('install', () => void self.skipWaiting());

self.addEventListener('push', (event) => {
  const sent = event.data?.json() as Sent | undefined;
  if (sent) event.waitUntil(show(sent));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(goTo(String(event.notification.data)));
});

/** A visible page shows the news itself. Notifications with the same tag replace each other. */
async function show({ title, body, tag, url }: Sent): Promise<void> {
  const looks = (await pages()).some(({ visibilityState }) => visibilityState === 'visible');
  if (!looks) await self.registration.showNotification(title, { body, tag, data: url, icon: '/icon.svg' });
}

/** An open page navigates itself, without a reload. */
async function goTo(url: string): Promise<void> {
  const [page] = await pages();
  if (!page) return void (await self.clients.openWindow(new URL(url, self.location.origin)));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window, but a client of our own origin
  page.postMessage({ kind: 'open', url } satisfies OpenMessage);
  await page.focus();
}

const pages = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });
