import './search.css';
import { signal, useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ProcessView } from 'rouse/contract/process';
import { printable } from 'rouse/contract/words';
import { Icon } from '../look/icon';
import { host, reasonOf } from '../state/host';
import { around, type Place } from './output-place';
import { parts } from './match-parts';

export const searchShown = signal(false);

type Match = { readonly offset: number; readonly line: number; readonly text: string };

type Found =
  | { readonly kind: 'nothing asked' }
  | { readonly kind: 'searching' }
  | { readonly kind: 'found'; readonly matches: readonly Match[]; readonly next?: number }
  | { readonly kind: 'failed'; readonly why: string };

const AT_ONCE = 50;
const TYPED_MS = 250;

/** Searches everything that was written, on the host: what is loaded here is only a part of it. */
export function Search({ process, place }: { readonly process: ProcessView; readonly place: Signal<Place> }) {
  const text = useSignal('');
  const found = useSignal<Found>({ kind: 'nothing asked' });
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    return () => void (searchShown.value = false);
  }, []);

  const asked = text.value;
  useEffect(() => {
    if (!asked) return void (found.value = { kind: 'nothing asked' });
    found.value = { kind: 'searching' };
    const timer = setTimeout(() => void search(0), TYPED_MS);
    return () => clearTimeout(timer);
  }, [asked]);

  const search = async (offset: number): Promise<void> => {
    const before = offset > 0 && found.value.kind === 'found' ? found.value.matches : [];
    const answer = await host
      .searchOutput(process.id, asked, { offset, limit: AT_ONCE })
      .catch((error: unknown) => reasonOf(error));
    // Something else was typed meanwhile.
    if (text.value !== asked) return;
    if (typeof answer === 'string') return void (found.value = { kind: 'failed', why: answer });
    const { matches, next } = answer;
    found.value = { kind: 'found', matches: [...before, ...matches], ...(next !== undefined && { next }) };
  };

  const showPlace = ({ offset }: Match): void => void (place.value = around(offset, asked));
  return (
    <search class="output-search">
      <div class="output-search-field">
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          aria-label="Search in the output"
          placeholder="Search in everything it wrote"
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
      {found.value.kind === 'found' && (
        <Matches found={found.value} asked={asked} showPlace={showPlace} more={(next) => void search(next)} />
      )}
    </search>
  );
}

function Matches({
  found: { matches, next },
  asked,
  showPlace,
  more,
}: {
  readonly found: Extract<Found, { kind: 'found' }>;
  readonly asked: string;
  readonly showPlace: (match: Match) => void;
  readonly more: (next: number) => void;
}) {
  if (matches.length === 0 && next === undefined) return null;
  return (
    <ol class="output-matches" aria-label="Matches">
      {matches.map((match) => (
        <li key={match.offset}>
          <button onClick={() => showPlace(match)}>
            <span class="match-line faint small">{(match.line + 1).toLocaleString('en')}</span>
            <span class="mono one-line grow">
              {parts(printable(match.text), asked).map(({ text, hit }, index) =>
                hit ? <mark key={index}>{text}</mark> : text,
              )}
            </span>
          </button>
        </li>
      ))}
      {next !== undefined && (
        <li>
          <button class="soft" onClick={() => more(next)}>
            Search on
          </button>
        </li>
      )}
    </ol>
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
      if (length === 0) return found.next === undefined ? 'nothing found' : 'nothing yet';
      return `${length}${found.next === undefined ? '' : '+'} ${length === 1 ? 'match' : 'matches'}`;
    }
  }
}
