import { signal } from '@preact/signals';

export const visible = signal(document.visibilityState === 'visible');

document.addEventListener('visibilitychange', () => (visible.value = document.visibilityState === 'visible'));
