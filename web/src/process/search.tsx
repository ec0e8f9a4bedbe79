import './search.css';
import { signal, useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { OutputMatch } from 'rouse/contract/output';
import type { ProcessView } from 'rouse/contract/process';
import { Icon } from '../look/icon';
import { host, reasonOf } from '../state/host';
import { around, type Place } from './output-place';
import { Matches, type Found, type Next } from './matches';

export const searchShown = signal(false);

const AT_ONCE = 50;
const TYPED_MS = 250;

/** Searches the whole output on the host; the page has only a part of it. */
export function Search({ process, place }: { readonly process: ProcessView; readonly place: Signal<Place> }) {
  const text = useSignal('');
  const found = useSignal<Found>({ kind: 'nothing asked' });
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    return () => {
      searchShown.value = false;
      text.value = '';
    };
  }, []);

  const asked = text.value;
  useEffect(() => {
    if (!asked) return void (found.value = { kind: 'nothing asked' });
    found.value = { kind: 'searching' };
    const timer = setTimeout(() => void search(), TYPED_MS);
    return () => clearTimeout(timer);
  }, [asked]);

  const search = async (from?: Next): Promise<void> => {
    const before = from && found.value.kind === 'found' ? found.value.matches : [];
    const answer = await host
      .searchOutput(process.id, asked, { ...from, limit: AT_ONCE })
      .catch((error: unknown) => reasonOf(error));
    // The person has typed something else meanwhile.
    if (text.value !== asked) return;
    if (typeof answer === 'string') return void (found.value = { kind: 'failed', why: answer });
    const { matches, next, nextLine } = answer;
    found.value = {
      kind: 'found',
      matches: [...before, ...matches],
      ...(next !== undefined && { next: { offset: next, ...(nextLine !== undefined && { line: nextLine }) } }),
    };
    // The host searches in portions; continue until there is something to show.
    if (matches.length === 0 && found.value.next) await search(found.value.next);
  };

  const showPlace = ({ offset }: OutputMatch): void => void (place.value = around(offset, asked));
  return (
    <search class="output-search">
      <div class="output-search-field">
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          aria-label="Search in the output"
          placeholder="Search the whole output"
          value={asked}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          onKeyDown={({ key }) => {
            if (key === 'Escape') searchShown.value = false;
            const first = found.value.kind === 'found' ? found.value.matches[0] : undefined;
            if (key === 'Enter' && first) showPlace(first);
          }}
        />
        <span class="small soft" role="status">
          {inWords(found.value)}
        </span>
        <button class="button quiet icon" aria-label="Close the search" onClick={() => (searchShown.value = false)}>
          <Icon name="close" />
        </button>
      </div>
      {found.value.kind === 'found' && found.value.matches.length > 0 && (
        <Matches found={found.value} asked={asked} showPlace={showPlace} more={(next) => void search(next)} />
      )}
    </search>
  );
}

function inWords(found: Found): string {
  switch (found.kind) {
    case 'nothing asked':
      return '';
    case 'searching':
      return 'searching …';
    case 'failed':
      return found.why;
    case 'found': {
      const { length } = found.matches;
      if (length === 0) return found.next === undefined ? 'nothing found' : 'searching …';
      return `${length}${found.next === undefined ? '' : '+'} ${length === 1 ? 'match' : 'matches'}`;
    }
  }
}
