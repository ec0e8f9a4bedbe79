/**
 * Shows notifications while a page is open but hidden.
 *
 *   1. Only when no tab of this browser is visible.
 *   2. Only one tab does it: the one that holds the lock.
 *   3. The tag is the same as that of a push, so the browser shows a fact once even if both arrive.
 */
import { effect } from '@preact/signals';
import type { EntryView } from 'rouse/contract/journal';
import type { NoticeView } from 'rouse/contract/notice';
import { LOOK_BACK, mayAlert, alertForEntry, alertForNotice, type Alert } from 'rouse/contract/alert';
import { host } from '../state/host';
import { listen } from '../state/live';
import { sessions } from '../state/sessions';
import { visible } from '../state/visible';
import type { OpenMessage } from './open-message';
import { canNotify, notificationsEnabled } from './preference';

const LOOKED_AT = 'rouse page looked at';
const SPEAKER = 'rouse page that speaks';
const TRIES = 3;
const AGAIN_MS = 2_000;

/** Ends with the tab. */
const forEver = () => new Promise<never>(() => undefined);

let speaks = false;
void navigator.locks?.request(SPEAKER, () => {
  speaks = true;
  return forEver();
});

/** A shared lock, held while this tab is visible. */
effect(() => {
  if (!visible.value) return;
  let away = () => undefined as void;
  const gone = new Promise<void>((resolve) => (away = resolve));
  void navigator.locks?.request(LOOKED_AT, { mode: 'shared' }, () => gone);
  return away;
});

async function isLookedAt(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === LOOKED_AT);
}

listen((event) => {
  if (!speaks || !notificationsEnabled()) return;
  if (event.kind === 'entry') void tell(() => alertIn(event.entry));
  if (event.kind === 'notice') void tell(async () => alertOf(event.notice));
});

async function tell(find: () => Promise<Alert | undefined>, tries = TRIES): Promise<void> {
  if (await isLookedAt()) return;
  try {
    const alert = await find();
    if (alert) await show(alert);
  } catch {
    // The host is away, or the browser could not show it. The tag makes a retry harmless.
    if (tries > 1) setTimeout(() => void tell(find, tries - 1), AGAIN_MS);
  }
}

async function show({ title, body, tag, url }: Alert): Promise<void> {
  const registration = await navigator.serviceWorker.ready;
  await registration.showNotification(title, { body, tag, data: url, icon: '/icon.svg' });
}

async function alertIn(entry: EntryView): Promise<Alert | undefined> {
  const owner = sessions.get(entry.session);
  if (!owner || !mayAlert(entry)) return undefined;
  const before = await host.entries(entry.session, { before: entry.seq, limit: LOOK_BACK });
  return alertForEntry(entry, before, owner);
}

function alertOf(notice: NoticeView): Alert | undefined {
  const owner = sessions.get(notice.session);
  return owner && alertForNotice(notice, owner);
}

if (canNotify)
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<OpenMessage>) => {
    if (data.kind === 'open') location.hash = new URL(data.url, location.origin).hash;
  });
