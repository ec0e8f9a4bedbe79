/** Announces complete answers, questions and wakes to screen readers. */
import { useRef } from 'preact/hooks';
import { shortened } from 'rouse/contract/display';
import { safeText } from '../look/safe-text';
import type { Row } from './row';

const LONGEST = 400;

export function Announcements({ rows }: { readonly rows: readonly Row[] }) {
  const last = rows.findLast((row) => wordsOf(row) !== undefined);
  const opened = useRef(last?.key);
  // Announce only what is new since the page was opened.
  const news = last && last.key !== opened.current ? wordsOf(last) : '';
  return (
    <div class="unseen" role="status" aria-label="Announcements">
      {news}
    </div>
  );
}

function wordsOf(row: Row): string | undefined {
  if (row.kind === 'text' && row.state === 'written') return `Agent: ${shortened(safeText(row.text), LONGEST)}`;
  if (row.kind === 'question' && row.state.kind === 'open')
    return `The agent asks you: ${shortened(safeText(row.entry.text), LONGEST)}`;
  if (row.kind === 'wake') return 'The agent was woken.';
  return undefined;
}
