/** Estimates the height of a row before it is measured; a good estimate keeps the scroll bar still. */
import type { Row } from './row';

const LINE_PX = 22;
const CHARACTER_PX = 7.2;
const WIDEST_PX = 780;

export function estimatedHeight(row: Row | undefined, width: number): number {
  if (!row) return LINE_PX;
  switch (row.kind) {
    case 'message':
      return 58 + linesOf(row.entry.text, width) * LINE_PX;
    case 'text':
      return 14 + linesOf(row.text, width) * LINE_PX;
    case 'wake':
      return 60 + row.entry.causes.length * 130;
    case 'question':
      return 170;
    case 'note':
      return 46;
    case 'reasoning':
    case 'tool':
    case 'compaction':
      return 30;
    case 'turn':
      return 34;
  }
}

/** Measures only the beginning of a long text. */
function linesOf(text: string, width: number): number {
  const perLine = Math.max(20, Math.min(width - 32, WIDEST_PX) / CHARACTER_PX);
  const counted = text.slice(0, 4_000).split('\n');
  const lines = counted.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0);
  return text.length <= 4_000 ? lines : Math.round((lines * Math.min(text.length, 100_000)) / 4_000);
}
