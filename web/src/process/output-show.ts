/** Brings output into a terminal: the end as it grows, or a stretch of the past. */
import type { OutputPage } from 'rouse/contract/output';
import type { Place } from './output-place';
import { outputFrom, TAIL_BYTES, type Piece, type Reading } from './output-source';
import { bytesInWords } from 'rouse/contract/display';
import type { Terminal } from './terminal';

export type Way = Extract<Piece, { kind: 'way' }>['way'] | 'reading' | 'still';

export type Shown = {
  /** The first byte that is shown, and up to which byte. */
  readonly from: number;
  readonly to: number;
  readonly size: number;
  readonly way: Way;
  readonly trouble?: string;
};

export type Tell = (news: Partial<Shown>) => void;

const PAGE_BYTES = 262_144;
/** Behind every output: what is read there is empty and says how much there is. */
const NOWHERE = Number.MAX_SAFE_INTEGER;

export async function show(terminal: Terminal, place: Place, reading: Reading, tell: Tell): Promise<void> {
  terminal.isLive = false;
  terminal.clear();
  try {
    if (place.kind === 'end') await showEnd(terminal, reading, tell);
    else await showPast(terminal, place, reading, tell);
  } catch (error) {
    if (!reading.signal.aborted)
      tell({ way: 'still', trouble: error instanceof Error ? error.message : String(error) });
  }
}

async function showEnd(terminal: Terminal, reading: Reading, tell: Tell): Promise<void> {
  const { size } = await reading.host.output(reading.id, { offset: NOWHERE, limit: 1 });
  const from = Math.max(0, size - TAIL_BYTES);
  tell({ from, to: from, size, way: 'reading' });
  for await (const piece of outputFrom(from, reading)) {
    if (reading.signal.aborted) return;
    await showPiece(terminal, piece, tell);
    if (terminal.isLive || (piece.kind === 'page' ? piece.page.to : from) < size) continue;
    // What was there when one came is history; what a program asks from here on, it asks now.
    await terminal.drawn();
    terminal.isLive = !reading.signal.aborted;
  }
}

async function showPiece(terminal: Terminal, piece: Piece, tell: Tell): Promise<void> {
  switch (piece.kind) {
    case 'page':
      await terminal.write(textOf(piece.page));
      return tell({ to: piece.page.to, size: piece.page.size });
    case 'leftOut':
      // What is before the gap is gone from the terminal, too: the next stretch fills more than it keeps.
      return terminal.write(remark(`${bytesInWords(piece.bytes)} left out, too fast to read`));
    case 'way':
      return tell({ way: piece.way });
    case 'end':
      return tell({ way: 'still' });
    case 'refused':
      return tell({ way: 'still', trouble: piece.why });
  }
}

type Past = Extract<Place, { kind: 'past' }>;

async function showPast(terminal: Terminal, { from, to, at }: Past, reading: Reading, tell: Tell): Promise<void> {
  const offset = typeof at === 'object' ? at.offset : to;
  tell({ from, to: from, way: 'reading' });
  await showStretch(terminal, from, offset, reading, tell);
  await terminal.drawn();
  const mark = terminal.mark();
  await showStretch(terminal, offset, to, reading, tell);
  await terminal.drawn();
  if (reading.signal.aborted) return;
  if (typeof at === 'object') terminal.show(mark, at.text);
  else if (at === 'top') terminal.top();
  tell({ way: 'still' });
}

async function showStretch(terminal: Terminal, from: number, to: number, reading: Reading, tell: Tell): Promise<void> {
  for (let at = from; at < to && !reading.signal.aborted;) {
    const page = await reading.host.output(reading.id, { offset: at, limit: Math.min(PAGE_BYTES, to - at) });
    if (reading.signal.aborted || page.to <= at) return;
    await terminal.write(textOf(page));
    at = page.to;
    tell({ to: at, size: page.size });
  }
}

const textOf = ({ text, released }: OutputPage): string =>
  released > 0 ? remark(`${bytesInWords(released)} released by the quota`) + text : text;

/** In our own words among those of a program: on a line of their own, and faint. */
const remark = (words: string): string => `\r\n\x1b[0;2m[… ${words} …]\x1b[0m\r\n`;
