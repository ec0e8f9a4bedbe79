import { signal } from '@preact/signals';
import type { ModelsAnswer } from 'rouse/contract/host';
import { host } from './host';
import { readWhenOpen } from './live';

export const models = signal<ModelsAnswer | undefined>(undefined);

readWhenOpen(() => {
  // If reading fails, the list is read again when the stream opens.
  void host.models().then(
    (answer) => (models.value = answer),
    () => undefined,
  );
});

export const windowOf = (model: string | undefined): number | undefined =>
  models.value?.models.find(({ id }) => id === (model ?? models.value?.default))?.contextWindow;
