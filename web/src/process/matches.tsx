import type { OutputMatch } from 'rouse/contract/output';
import { printable } from 'rouse/contract/display';
import { parts } from './match-parts';

/** Where the host stopped searching. */
export type Next = { readonly offset: number; readonly line?: number };

export type Found =
  | { readonly kind: 'nothing asked' }
  | { readonly kind: 'searching' }
  | { readonly kind: 'found'; readonly matches: readonly OutputMatch[]; readonly next?: Next }
  | { readonly kind: 'failed'; readonly why: string };

/** The lines found. A click shows the line in the output. */
export function Matches({
  found: { matches, next },
  asked,
  showPlace,
  more,
}: {
  readonly found: Extract<Found, { kind: 'found' }>;
  readonly asked: string;
  readonly showPlace: (match: OutputMatch) => void;
  readonly more: (next: Next) => void;
}) {
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
            Continue searching
          </button>
        </li>
      )}
    </ol>
  );
}
