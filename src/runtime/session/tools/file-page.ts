/** Some lines of a file, as they are, and how to read on. */
import { fenceAround } from '../../../domain/notice/notice-block.js';
import type { ToolOutcome } from '../tool.js';
import { answered } from './made.js';

const CHARACTERS = 100_000;

export function filePage(
  name: string,
  text: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): ToolOutcome {
  if (text === '') return answered(`${name} is empty.`);
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = fitting(lines.slice(offset, offset + limit));
  if (shown.length === 0) return answered(`${name} has ${lines.length} lines; there is none from ${offset} on.`);
  const next = offset + shown.length;
  const onwards = next < lines.length ? `; read on with offset ${next}` : '';
  const page = shown.join('\n');
  const cut = page.length > CHARACTERS ? ', cut: the line is too long to be shown whole' : '';
  const fence = fenceAround(page);
  return answered([
    `${name}, lines ${offset} to ${next - 1} of ${lines.length}${cut}${onwards}:`,
    fence,
    page.slice(0, CHARACTERS),
    fence,
  ]);
}

/** As many of the first lines as fit, and one at least. */
function fitting(lines: readonly string[]): readonly string[] {
  let room = CHARACTERS;
  const over = lines.findIndex((line) => (room -= line.length + 1) < 0);
  return over < 0 ? lines : lines.slice(0, Math.max(1, over));
}
