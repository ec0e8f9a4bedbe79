/** Whether the person of this browser wants to be told when he does not look. Asked once, and kept. */
import { signal } from '@preact/signals';

export type Wish = 'not asked' | 'on' | 'off';

const NAME = 'rouse notify';

const kept = localStorage.getItem(NAME);

export const wish = signal<Wish>(kept === 'on' || kept === 'off' ? kept : 'not asked');

export function keep(wanted: Wish): void {
  wish.value = wanted;
  localStorage.setItem(NAME, wanted);
}

// Another tab was asked.
addEventListener('storage', ({ key, newValue }) => {
  if (key === NAME && (newValue === 'on' || newValue === 'off')) wish.value = newValue;
});

/** Both need a page that came over https, or from this machine. */
export const canBeTold = 'Notification' in globalThis && 'serviceWorker' in navigator;

export const isTold = (): boolean => canBeTold && wish.value === 'on' && Notification.permission === 'granted';
