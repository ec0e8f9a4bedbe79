/** A process in words for the model. The first line says what is the case; what the program wrote is fenced. */
import type { ProcessId } from '../../../contract/ids.js';
import type { AgentPolicy, Excerpt } from '../../../contract/notice.js';
import { durationInWords, endInWords, printable } from '../../../contract/words.js';
import { shortened } from '../../../domain/output/excerpt.js';
import { fenced } from '../../../domain/notice/notice-block.js';
import type { Instant } from '../../../domain/process/process.js';
import type { ProcessRecord } from '../../../ports/store.js';

const COMMAND_CHARACTERS = 200;

/** `ended with exit 2 after 3.1s`, `has been running for 4m 10s`. */
export function stateInWords({ lifecycle, startedAt }: ProcessRecord, now: Instant): string {
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

/** What a session that is owed the end may count on. */
export function toldAtItsEnd(wakes: AgentPolicy): string {
  switch (wakes) {
    case 'always':
      return 'You will be told when it ends: go on with something else or end your turn; never poll or sleep for it.';
    case 'failure':
      return 'You will be told only if it fails: this session wants no other wakes. Look with process poll when you need to know.';
    case 'never':
      return 'You will not be told when it ends: this session wants no wakes. Look with process poll or process wait.';
  }
}

/** The same for a process that is watched. */
export function toldOfMatches(wakes: AgentPolicy): string {
  switch (wakes) {
    case 'always':
      return 'You will be told when a line matches, and not when it ends: go on with something else or end your turn.';
    case 'failure':
      return 'You will not be told of matches, unless the process fails right after one: this session wants no other wakes.';
    case 'never':
      return 'You will not be told of matches: this session wants no wakes.';
  }
}
