import type { Signal } from '@preact/signals';
import { bytesInWords } from 'rouse/contract/display';
import { before, behind, END, type Place } from './output-place';
import type { Shown } from './output-show';

/** Which part of the output is shown, how it is updated, and buttons to the rest. */
export function OutputBar({
  shown,
  place,
  runs,
}: {
  readonly shown: Shown;
  readonly place: Signal<Place>;
  readonly runs: boolean;
}) {
  const { from, to, size } = shown;
  const past = place.value.kind === 'past';
  return (
    <div class="output-bar small">
      {from > 0 && (
        <button class="button quiet" onClick={() => (place.value = before(from))}>
          Show earlier
        </button>
      )}
      {past && to < size && (
        <button class="button quiet" onClick={() => (place.value = behind(to, size))}>
          Show later
        </button>
      )}
      {past && (
        <button class="button quiet" onClick={() => (place.value = END)}>
          {runs ? 'Back to live' : 'To the end'}
        </button>
      )}
      <span class="grow" />
      {shown.trouble ? (
        <span class="trouble-text" role="alert">
          {shown.trouble}
        </span>
      ) : (
        <span class="soft" role="status">
          {wordsOf(shown, past, runs)}
        </span>
      )}
    </div>
  );
}

function wordsOf({ from, to, size, way }: Shown, past: boolean, runs: boolean): string {
  const part = from > 0 || past ? `${megabytes(from)} – ${megabytes(to)} of ${megabytes(size)} MB` : '';
  const how = past || !runs ? '' : WAYS[way];
  if (size === 0 && way !== 'reading') return runs ? `no output yet${how && ` · ${how}`}` : 'no output';
  return [part || bytesInWords(size), way === 'reading' ? 'reading …' : how].filter(Boolean).join(' · ');
}

/** Fixed digits, so that the figures can be compared. */
const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

const WAYS = {
  reading: 'reading …',
  streamed: 'live',
  polled: 'updated every second',
  cut: 'reconnecting …',
  still: '',
} as const;
