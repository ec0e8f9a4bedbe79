/** Whether the person wants notifications in this browser. Asked once, and stored. */
import { signal } from '@preact/signals';

export type Preference = 'not asked' | 'on' | 'off';

const NAME = 'rouse notify';

const kept = localStorage.getItem(NAME);

export const preference = signal<Preference>(kept === 'on' || kept === 'off' ? kept : 'not asked');

export function setPreference(wanted: Preference): void {
  preference.value = wanted;
  localStorage.setItem(NAME, wanted);
}

// Another tab changed it.
addEventListener('storage', ({ key, newValue }) => {
  if (key === NAME && (newValue === 'on' || newValue === 'off')) preference.value = newValue;
});

/** Both need https or localhost. */
export const canNotify = 'Notification' in globalThis && 'serviceWorker' in navigator;

export const notificationsEnabled = (): boolean =>
  canNotify && preference.value === 'on' && Notification.permission === 'granted';
