/** What the model may ask of `terminal`, and what it is told about asking. */
import { z } from 'zod';
import { StartRequest } from '../../../contract/process.js';
import { durationInWords } from '../../../contract/words.js';
import type { WatchFigures } from '../../../domain/notice/watch.js';

/** As many characters as the kernel takes bytes: a longer one need not be looked at. */
const COMMAND_CHARACTERS = 131_071;

export const PlainInput = z.strictObject({
  command: z
    .string()
    .max(COMMAND_CHARACTERS, { abort: true, error: 'it is longer than 128 KiB: write it to a file and run that' })
    .pipe(StartRequest.shape.command)
    .describe('Run by the shell.'),
  background: z.boolean().default(false).describe('Start it and do not wait for it.'),
  pty: z.boolean().default(false).describe('Give it a terminal; only for programs that need one.'),
  workdir: z.string().min(1).max(4_096).optional().describe('The folder to run it in.'),
  timeout: z
    .number()
    .min(0.001, 'a time limit is more than zero seconds')
    .max(2_147_483)
    .optional()
    .describe('End it after so many seconds. Without it, it may run for ever.'),
  place: StartRequest.shape.place.describe('Where to run it; "local" is this machine.'),
});

export const NotifyingInput = PlainInput.extend({
  notify_on_complete: z.boolean().default(false).describe('Wake you once, when it ends.'),
  watch_patterns: StartRequest.shape.watchPatterns.describe(
    'Wake you when a line holds one of these (literal, or /expression/flags). Not together with notify_on_complete.',
  ),
});

/** The wishes to be told are not there for whoever may not have them. */
export type TerminalInput = z.output<typeof PlainInput> & Partial<z.output<typeof NotifyingInput>>;

export const aboutRunning = (foregroundMs: number): string =>
  [
    `Runs a shell command and answers with its output. One that takes longer than ${inSeconds(foregroundMs)} goes on in the background.`,
    'Start what may take long with background: true, then do something else or end your turn.',
  ].join('\n');

export const aboutNotifying = ({ cooldownMs, strikes }: WatchFigures): string =>
  [
    'notify_on_complete is the right choice for almost every long command (builds, tests, downloads, deployments): you are woken exactly once, when it ends, with how it ended and the end of its output.',
    'watch_patterns is only for a rare one-shot signal of a process that lives long, such as the line in which a server says that it is ready. Never watch for what comes often, nor for an end: the end of a watched process is reported only together with a match.',
    `At most one match is told every ${inSeconds(cooldownMs)}; after ${strikes} such windows in a row that held more matches (${strikes} strikes), watching ends and only the end is told.`,
    'The two exclude each other: asked for both, the patterns are dropped.',
    'Never poll, wait or sleep in a loop for a process that will wake you.',
  ].join('\n');

const inSeconds = (ms: number): string => durationInWords(ms).replace(/\.0s$/, 's');
