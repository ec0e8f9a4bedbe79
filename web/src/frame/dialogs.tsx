/** The dialog that is open, if any; at most one at a time. */
import { signal } from '@preact/signals';
import { Keys } from './keys';
import { Palette } from './palette';

type Name = 'palette' | 'keys';

const opened = signal<Name | undefined>(undefined);

export const open = (name: Name): void => void (opened.value = name);

const close = (): void => void (opened.value = undefined);

export function OpenDialog() {
  switch (opened.value) {
    case 'palette':
      return <Palette close={close} />;
    case 'keys':
      return <Keys close={close} />;
    case undefined:
      return null;
  }
}
