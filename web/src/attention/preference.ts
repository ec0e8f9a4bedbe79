/** Whether the person of this browser wants to be told when he does not look. Asked once, and kept. */
import { signal } from '@preact/signals';

export type Preference = 'not asked' | 'on' | 'off';

const NAME = 'rouse notify';

const kept = localStorage.getItem(NAME);

export const preference = signal<Preference>(kept === 'on' || kept === 'off' ? kept : 'not asked');

export function setPreference(wanted: Preference): void {
  preference.value = wanted;
  localStorage.setItem(NAME, wanted);
}

// Another tab was asked.
addEventListener('storage', ({ key, newValue }) => {
  if (key === NAME && (newValue === 'on' || newValue === 'off')) preference.value = newValue;
});

/** Both need a page that came over https, or from this machine. */
export const canNotify = 'Notification' in globalThis && 'serviceWorker' in navigator;

export const notificationsEnabled = (): boolean =>
  canNotify && preference.value === 'on' && Notification.permission === 'granted';
