/** A page of output by lines, with where it stands and how to read on. */
import type { OutputPage } from '../../../contract/output.js';
import { fenced } from '../../../domain/notice/notice-block.js';
import { readable } from '../../../domain/output/text.js';

/** How much one page shows: so many lines when nothing else is asked, and never more bytes. */
export type LogFigures = { readonly lines: number; readonly bytes: number };

export const reachesTheEnd = ({ to, size }: OutputPage): boolean => to === size;

/** `asked` is what the page was asked for. */
export function logLines(page: OutputPage, asked: LogFigures, redact: (text: string) => string): readonly string[] {
  const { text, line = 0, totalLines = 0 } = page;
  if (text === '') return [`There is nothing from line ${line} on: the output has ${totalLines} lines.`];
  const next = Math.min(totalLines, line + (isCut(page, asked) ? Math.max(1, newlines(text)) : asked.lines));
  return [
    `Lines ${line} to ${next - 1} of ${totalLines}${reachesTheEnd(page) ? '' : onwards(page, asked, next)}:`,
    ...remarks(page),
    // A secret may have been hidden by what is not readable, so it is looked for again.
    ...fenced(redact(readable(text.replace(/\r?\n$/, '')))),
  ];
}

/** The last bytes of a page are left out where they are half a character. */
const isCut = ({ from, to, released }: OutputPage, { bytes }: LogFigures): boolean => to - from - released > bytes - 4;

const newlines = (text: string): number => text.split('\n').length - 1;

function onwards(page: OutputPage, asked: LogFigures, next: number): string {
  const cut = isCut(page, asked) ? `, cut after ${asked.bytes} bytes` : '';
  return `${cut}; read on with offset ${next}`;
}

const remarks = ({ released, damage }: OutputPage): readonly string[] => [
  ...(released > 0 ? [`${released} bytes in its middle are gone: the output is over its quota.`] : []),
  ...(damage ? [damage] : []),
];
