import { toggle } from './expanded';

export const ShowAll = ({ name, characters }: { readonly name: string; readonly characters: number }) => (
  <button class="button quiet small" onClick={() => toggle(name)}>
    Show all {characters.toLocaleString('en')} characters
  </button>
);
