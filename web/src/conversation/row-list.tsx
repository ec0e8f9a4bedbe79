/**
 * The virtual list of rows.
 *
 *   1. A reader at the end stays at the end as rows grow.
 *   2. A reader who has scrolled up stays there: new, growing and earlier rows do not move what is on screen.
 */
import './row-list.css';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useSignal, type Signal } from '@preact/signals';
import { readOlder } from '../state/conversation';
import { stepOf } from './reading-keys';
import { estimatedHeight } from './row-height';
import { RowView } from './row/row-view';
import type { Row } from './row';
import { ReaderAtEnd, END_PX } from './reader-at-end';
import { useVirtual } from './virtual';

/** How close to the first row the page loads earlier ones. */
const NEAR_ROWS = 12;
const EDGE_PX = 16;

export type ListHandle = { readonly toEnd: () => void };

export function RowList({
  rows,
  more,
  handle,
}: {
  readonly rows: readonly Row[];
  readonly more: boolean;
  readonly handle: Signal<ListHandle | undefined>;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtual({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: (index) => estimatedHeight(rows[index], scroller.current?.clientWidth ?? 800),
    overscan: 6,
    paddingStart: EDGE_PX,
    paddingEnd: EDGE_PX,
    anchorTo: 'end',
    scrollEndThreshold: END_PX,
    initialOffset: FAR,
  });
  const end = useRef(new ReaderAtEnd());
  const toEnd = (): void => {
    end.current.is = true;
    virtual.scrollToEnd();
  };
  const press = (event: KeyboardEvent): void => {
    const step = stepOf(event);
    if (!step) return;
    event.preventDefault();
    if (step === 'end') return toEnd();
    const { scrollTop, clientHeight } = scroller.current as HTMLElement;
    scroller.current?.scrollTo({ top: step === 'start' ? 0 : scrollTop + step.pages * clientHeight });
  };
  useLayoutEffect(() => {
    handle.value = { toEnd };
    return () => (handle.value = undefined);
  }, []);

  useLayoutEffect(() => {
    if (end.current.is && virtual.getDistanceFromEnd() > 1) virtual.scrollToEnd();
  });

  const items = virtual.getVirtualItems();
  const first = items[0];
  useLayoutEffect(() => {
    // After a failure the next scroll retries; the connection state shows that the host is away.
    if (more && first && first.index < NEAR_ROWS) readOlder().catch(() => undefined);
  }, [more, first?.index, rows.length]);

  return (
    <div class="rows-frame">
      <div
        ref={scroller}
        class="rows"
        role="feed"
        aria-label="Conversation"
        aria-busy={rows.at(-1)?.kind === 'turn' && isRunning(rows.at(-1))}
        tabIndex={0}
        onScroll={({ currentTarget }) => end.current.scrolled(currentTarget)}
        onKeyDown={press}
      >
        <div class="rows-all" style={{ height: `${virtual.getTotalSize()}px` }}>
          <div class="rows-seen" style={{ top: `${first?.start ?? 0}px` }}>
            {items.map(({ key, index }) => (
              <RowView
                key={key}
                row={rows[index] as Row}
                index={index}
                size={more ? -1 : rows.length}
                measure={virtual.measureElement}
              />
            ))}
          </div>
        </div>
      </div>
      <NewBelow atEnd={end.current.is} last={signOf(rows)} toEnd={toEnd} />
    </div>
  );
}

/** Larger than any height; the browser clamps it to the end. */
const FAR = 1e9;

const isRunning = (row: Row | undefined): boolean => row?.kind === 'turn' && row.state.kind === 'running';

/** Changes when there is something new at the end. */
function signOf(rows: readonly Row[]): string {
  const last = rows.findLast(({ kind }) => kind !== 'turn');
  return `${last?.key} ${last && 'text' in last ? last.text.length : ''}`;
}

/** Appears when something new arrives below the visible part. */
function NewBelow({
  atEnd,
  last,
  toEnd,
}: {
  readonly atEnd: boolean;
  readonly last: string;
  readonly toEnd: () => void;
}) {
  const seen = useSignal(last);
  if (atEnd) seen.value = last;
  if (atEnd) return null;
  return (
    <button class="button to-end" onClick={toEnd}>
      ↓ {seen.value === last ? 'To the end' : 'New below'}
    </button>
  );
}
