/**
 * Runs a command for the agent. Every command is a process of its session, whether it is waited for or not.
 *
 *   background ──▶ started; the result says whether its end will wake the agent
 *   foreground ──▶ waited for ──ended──▶ the result shows the end, and consumes it
 *                      └──too long, a person spoke, the turn is over──▶ it keeps running, and its end is owed
 */
import { posix } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../../ports/clock.js';
import { isRefusal } from '../../../contract/refusal.js';
import { durationInWords } from '../../../contract/display.js';
import type { ExcerptLimits } from '../../../domain/output/excerpt.js';
import type { ProcessRecord, SessionRecord, Store } from '../../../ports/store.js';
import { noSuchPlace, type Order, type Started } from '../../process/starting.js';
import type { Supervisor } from '../../process/supervisor.js';
import { answered, failed, tool, type Tool, type ToolContext, type ToolOutcome } from './tool.js';
import { objection, type ApprovalParts } from './approval.js';
import { headline, outputLines, endPromise, matchPromise } from './process-text.js';
import { StartRequest } from '../../../contract/process.js';
import type { WatchFigures } from '../../../domain/notice/watch.js';

export type TerminalFigures = {
  /** How long to wait for a command in the foreground. */
  readonly foregroundMs: number;
  /** How much of its output the result shows. */
  readonly tail: ExcerptLimits;
};

export const TERMINAL_FIGURES: TerminalFigures = { foregroundMs: 10_000, tail: { lines: 400, characters: 16_000 } };

export type TerminalParts = {
  readonly store: Store;
  readonly supervisor: Supervisor;
  readonly clock: Clock;
  readonly approval: ApprovalParts;
  readonly figures: TerminalFigures;
  /** The default folder, from which relative ones start; without it, the place's own. */
  readonly workdir?: string;
  /** Code in a sandbox may not ask for notices (N17): it does not see the options, and nothing is owed. */
  readonly mayNotify: boolean;
};

export function terminalTool(parts: TerminalParts): Tool {
  const terminal = new Terminal(parts);
  const { foregroundMs } = parts.figures;
  const run = (input: TerminalInput, context: ToolContext) => terminal.run(input, context);
  const repeatable = true;
  if (!parts.mayNotify) return { ...tool('terminal', aboutRunning(foregroundMs), PlainInput, run), repeatable };
  const about = [aboutRunning(foregroundMs), aboutNotifying(parts.supervisor.settings.watching.watch)];
  return { ...tool('terminal', about.join('\n'), NotifyingInput, run), repeatable };
}

class Terminal {
  constructor(readonly parts: TerminalParts) {}

  async run(input: TerminalInput, context: ToolContext): Promise<ToolOutcome> {
    const { store, supervisor, approval, workdir } = this.parts;
    const { generation, session: owner } = context.caller;
    const session = await store.sessions.get(owner);
    if (!session) return failed(`Session ${owner} is not there any more: nothing was run.`);
    const place = supervisor.places.find(input.place);
    if (!place) return failed(noSuchPlace(input.place, supervisor.places).why);
    const cwd = posix.resolve(workdir ?? place.defaultCwd, input.workdir ?? '.');
    const { command } = input;
    // The parser behind it is large, and only needed here.
    const { whyRiskyCommand } = await import('../../../domain/approval/risk.js');
    const whyRisky = () => whyRiskyCommand(command, { ...approval.homes, cwd });
    const objected = await objection({ command, cwd, place: place.name, whyRisky }, context, approval);
    if (objected) return failed(objected);
    const id = context.processId();
    const whose = { generation, ...(id && { id }) };
    return input.background
      ? this.#inBackground({ ...orderOf(input, cwd, session), ...whose }, session)
      : this.#inForeground(
          { ...orderOf({ ...input, ...this.#owed }, cwd, session), ...whose },
          input,
          session,
          context,
        );
  }

  /** Owed from the start, so that a host that dies before the result is stored loses nothing; the result consumes it. */
  get #owed() {
    return { notify_on_complete: this.parts.mayNotify, watch_patterns: [] };
  }

  async #inBackground(order: Order, session: SessionRecord): Promise<ToolOutcome> {
    const started = await this.parts.supervisor.start(order);
    if (isRefusal(started)) return failed(started.why);
    const { id, lifecycle } = started.process;
    const now = lifecycle.kind === 'ended' ? '' : ': it is running';
    return answered([`Started process ${id} in the background${now}.`, ...this.#promised(started, session)], {
      process: id,
    });
  }

  /** What will be reported; never more than can be. */
  #promised({ process, notes }: Started, { wakes }: SessionRecord): readonly string[] {
    if (!this.parts.mayNotify) return [NO_NOTICE];
    if (wakes === 'never') return notes;
    if (wakes === 'always' && process.lifecycle.kind === 'ended')
      return [...(process.notifyOnComplete ? [ENDED_ALREADY] : []), ...notes];
    return [
      ...(process.notifyOnComplete ? [endPromise(wakes)] : []),
      ...(process.watchPatterns.length > 0 ? [matchPromise(wakes)] : []),
      ...notes,
    ];
  }

  async #inForeground(
    order: Order,
    { watch_patterns: patterns = [] }: TerminalInput,
    session: SessionRecord,
    { signal, spoken }: ToolContext,
  ): Promise<ToolOutcome> {
    const { supervisor, figures } = this.parts;
    const started = await supervisor.start(order);
    if (isRefusal(started)) return failed(started.why);
    const { id } = started.process;
    await supervisor.wait(id, figures.foregroundMs, AbortSignal.any([signal, spoken]));
    const record = (await supervisor.get(id)) ?? started.process;
    if (record.lifecycle.kind === 'ended')
      return this.#shown(record, [headline(record, this.parts.clock.now())], 'terminal');
    const why = spoken.aborted
      ? 'A person sent a message'
      : `It takes longer than ${durationInWords(figures.foregroundMs)}`;
    return this.#shown(record, [
      `${why}, so process ${id} continues in the background.`,
      this.parts.mayNotify ? endPromise(session.wakes) : NO_NOTICE,
      ...(patterns.length > 0 ? [PATTERNS_DROPPED] : []),
    ]);
  }

  async #shown(record: ProcessRecord, lines: readonly string[], shownBy?: string): Promise<ToolOutcome> {
    const { id } = record;
    const tail = await this.parts.supervisor.reader.tail(record, this.parts.figures.tail);
    const consumes = shownBy ? { consumes: { process: id, how: shownBy } } : {};
    return answered([...lines, ...outputLines(id, tail)], { process: id, ...consumes });
  }
}

const orderOf = (input: TerminalInput, cwd: string, session: SessionRecord): Order => ({
  command: input.command,
  cwd,
  pty: input.pty,
  place: input.place,
  session,
  notifyOnComplete: input.notify_on_complete ?? false,
  watchPatterns: input.watch_patterns ?? [],
  ...(input.timeout !== undefined && { timeoutMs: Math.ceil(input.timeout * 1_000) }),
});

const ENDED_ALREADY = 'It has already ended; a notice will report how. Do not poll for it.';
const NO_NOTICE = 'Rouse will not notify any session when it ends.';
const PATTERNS_DROPPED =
  'Rouse ignores the watch patterns: they work only with background: true. It reports the end instead.';

/** As many characters as the kernel takes bytes: a longer one is refused unread. */
const COMMAND_CHARACTERS = 131_071;

const PlainInput = z.strictObject({
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
    .describe('End it after this many seconds. By default it has no time limit.'),
  place: StartRequest.shape.place.describe('Where to run it; "local" is this machine.'),
});

const NotifyingInput = PlainInput.extend({
  notify_on_complete: z.boolean().default(false).describe('Wake you once, when it ends.'),
  watch_patterns: StartRequest.shape.watchPatterns.describe(
    'Wake you when a line holds one of these (literal, or /expression/flags). Not together with notify_on_complete.',
  ),
});

/** Without the options to notify where they are not allowed. */
type TerminalInput = z.output<typeof PlainInput> & Partial<z.output<typeof NotifyingInput>>;

const aboutRunning = (foregroundMs: number): string =>
  [
    `Runs a shell command and answers with its output. One that takes longer than ${inSeconds(foregroundMs)} continues in the background.`,
    'Start what may take long with background: true, then do something else or end your turn.',
  ].join('\n');

const aboutNotifying = ({ cooldownMs, strikes }: WatchFigures): string =>
  [
    'notify_on_complete is the right choice for almost every long command (builds, tests, downloads, deployments): you are woken exactly once, when it ends, with how it ended and the end of its output.',
    'watch_patterns is only for a rare one-shot signal of a long-lived process, such as the line that says a server is ready. Never watch for frequent lines or for the end: Rouse reports the end of a watched process only together with a match.',
    `Rouse reports at most one match every ${inSeconds(cooldownMs)}; after ${strikes} such windows in a row with more matches (${strikes} strikes), it stops watching and reports only the end.`,
    'Use only one of the two: if you set both, Rouse ignores the patterns.',
    'Never poll, wait or sleep in a loop for a process that will wake you.',
  ].join('\n');

const inSeconds = (ms: number): string => durationInWords(ms).replace(/\.0s$/, 's');
