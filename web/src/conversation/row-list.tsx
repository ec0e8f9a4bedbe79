/**
 * The rows, as many of them as are seen.
 *
 *   1. Whoever is at the end stays there as things grow.
 *   2. Whoever has scrolled up stays where he is: nothing that comes, grows or is read before it moves what he looks at.
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

/** How near to the first row earlier ones are read. */
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
    // One that fails is asked for again by the next movement; the line says that the host is away.
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

/** Beyond any end: the browser puts it where the end is. */
const FAR = 1e9;

const isRunning = (row: Row | undefined): boolean => row?.kind === 'turn' && row.state.kind === 'running';

/** Changes when there is something new at the end. */
function signOf(rows: readonly Row[]): string {
  const last = rows.findLast(({ kind }) => kind !== 'turn');
  return `${last?.key} ${last && 'text' in last ? last.text.length : ''}`;
}

/** Says so when something has come that the reader, who is further up, does not see. */
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
