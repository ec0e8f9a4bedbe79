/** Processes and their output in words for the model. The first line states the fact; what a program wrote is fenced. */
import type { ProcessId } from '../../../contract/ids.js';
import type { AgentPolicy, Excerpt } from '../../../contract/notice.js';
import { durationInWords, endInWords, printable } from '../../../contract/display.js';
import { shortened } from '../../../domain/output/excerpt.js';
import { fenced } from '../../../domain/notice/notice-block.js';
import type { Instant } from '../../../domain/process/process.js';
import type { ProcessRecord } from '../../../ports/store.js';
import type { OutputPage } from '../../../contract/output.js';
import { readable } from '../../../domain/output/text.js';

const COMMAND_CHARACTERS = 200;

/** `ended with exit 2 after 3.1s`, `has been running for 4m 10s`. */
function stateInWords({ lifecycle, startedAt }: ProcessRecord, now: Instant): string {
  switch (lifecycle.kind) {
    case 'starting':
      return 'is starting';
    case 'running':
      return `has been running for ${durationInWords(now - startedAt)}`;
    case 'ended':
      return `ended with ${endInWords(lifecycle.end)} after ${durationInWords(lifecycle.endedAt - startedAt)}`;
  }
}

export const headline = (record: ProcessRecord, now: Instant): string =>
  `Process ${record.id} ${stateInWords(record, now)}.`;

/** One line of a list. */
export const listed = (record: ProcessRecord, now: Instant): string =>
  `${record.id} ${stateInWords(record, now)}: ${shortened(printable(record.command), COMMAND_CHARACTERS)}`;

export function outputLines(id: ProcessId, { text, cut, lines }: Excerpt): readonly string[] {
  if (text === '') return [cut ? 'The end of its output is blank.' : 'It has written nothing.'];
  const counted = lines === 1 ? '1 line' : `${lines} lines`;
  return [
    cut
      ? `Its output was cut to the last ${counted}; read the rest with process {"action": "log", "process_id": "${id}", "offset": 0}:`
      : 'Its output:',
    ...fenced(text),
  ];
}

/** What a session that is owed the end can expect. */
export function endPromise(wakes: AgentPolicy): string {
  switch (wakes) {
    case 'always':
      return 'You will be woken when it ends: continue with something else or end your turn; never poll or sleep for it.';
    case 'failure':
      return 'You will be woken only if it fails: this session wants no other wakes. Use process poll when you need to know.';
    case 'never':
      return 'You will not be woken when it ends: this session wants no wakes. Use process poll or process wait.';
  }
}

/** The same for a process that is watched. */
export function matchPromise(wakes: AgentPolicy): string {
  switch (wakes) {
    case 'always':
      return 'You will be woken when a line matches, but not when it ends: continue with something else or end your turn.';
    case 'failure':
      return 'You will not be woken for matches, unless the process fails right after one: this session wants no other wakes.';
    case 'never':
      return 'You will not be woken for matches: this session wants no wakes.';
  }
}

/** How much one page shows: this many lines by default, and never more bytes. */
export type LogFigures = { readonly lines: number; readonly bytes: number };

export const reachesTheEnd = ({ to, size }: OutputPage): boolean => to === size;

/** `asked` is what the page was asked for. */
export function logLines(page: OutputPage, asked: LogFigures, redact: (text: string) => string): readonly string[] {
  const { text, line = 0, lines = 0, totalLines = 0 } = page;
  if (text === '') return [`There is nothing from line ${line} on: the output has ${totalLines} lines.`];
  const next = line + lines;
  return [
    `Lines ${line} to ${next - 1} of ${totalLines}${reachesTheEnd(page) ? '' : onwards(page, asked, next)}:`,
    ...remarks(page),
    // A secret may have been hidden by what is not readable, so it is looked for again.
    ...fenced(redact(readable(text.replace(/\r?\n$/, '')))),
  ];
}

/** The last bytes of a page are left out where they are half a character. */
const isCut = ({ from, to, released }: OutputPage, { bytes }: LogFigures): boolean => to - from - released > bytes - 4;

function onwards(page: OutputPage, asked: LogFigures, next: number): string {
  const cut = isCut(page, asked) ? `, cut after ${asked.bytes} bytes` : '';
  return `${cut}; read on with offset ${next}`;
}

const remarks = ({ released, damage }: OutputPage): readonly string[] => [
  ...(released > 0 ? [`${released} bytes before these lines are gone: the output is over its quota.`] : []),
  ...(damage ? [damage] : []),
];
