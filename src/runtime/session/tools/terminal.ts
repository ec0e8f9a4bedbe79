/**
 * Runs a command for the agent. Every command is a process of its session, whether it is waited for or not.
 *
 *   background ──▶ started; the result says whether its end will be told
 *   foreground ──▶ waited for ──ended──▶ the result shows the end, and consumes it
 *                      └──too long, a person spoke, the turn is over──▶ it goes on, and from now on its end is owed
 */
import { posix } from 'node:path';
import type { Clock } from '../../../ports/clock.js';
import { isRefusal } from '../../../contract/refusal.js';
import { durationInWords } from '../../../contract/words.js';
import type { ExcerptLimits } from '../../../domain/output/excerpt.js';
import { whyRiskyCommand } from '../../../domain/approval/risk.js';
import type { ProcessRecord, SessionRecord, Store } from '../../../ports/store.js';
import { noSuchPlace, type Order, type Started } from '../../process/starting.js';
import type { Supervisor } from '../../process/supervisor.js';
import type { Tool, ToolContext, ToolOutcome } from '../tool.js';
import { objection, type ApprovalParts } from './approval.js';
import { answered, failed, tool } from './made.js';
import { headline, outputLines, toldAtItsEnd, toldOfMatches } from './showing.js';
import { aboutNotifying, aboutRunning, NotifyingInput, PlainInput, type TerminalInput } from './terminal-input.js';

export type TerminalFigures = {
  /** How long a command in the foreground is waited for. */
  readonly foregroundMs: number;
  /** How much of its output stands in the result. */
  readonly tail: ExcerptLimits;
};

export const TERMINAL_FIGURES: TerminalFigures = { foregroundMs: 10_000, tail: { lines: 400, characters: 16_000 } };

export type TerminalParts = {
  readonly store: Store;
  readonly supervisor: Supervisor;
  readonly clock: Clock;
  readonly approval: ApprovalParts;
  readonly figures: TerminalFigures;
  /** The folder of commands that name none, from which relative ones start; without it, the place's own. */
  readonly workdir?: string;
  /** Code in a sandbox may not ask to be told (N17): for it the wishes do not exist, and nothing is owed. */
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

  /** What of the process will be told; never more than can be. */
  #promised({ process, notes }: Started, { wakes }: SessionRecord): readonly string[] {
    if (!this.parts.mayNotify) return [NOBODY];
    if (wakes === 'never') return notes;
    if (wakes === 'always' && process.lifecycle.kind === 'ended')
      return [...(process.notifyOnComplete ? [ENDED_ALREADY] : []), ...notes];
    return [
      ...(process.notifyOnComplete ? [toldAtItsEnd(wakes)] : []),
      ...(process.watchPatterns.length > 0 ? [toldOfMatches(wakes)] : []),
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
      ? 'A person has spoken'
      : `It takes longer than ${durationInWords(figures.foregroundMs)}`;
    return this.#shown(record, [
      `${why}, so process ${id} goes on in the background.`,
      this.parts.mayNotify ? toldAtItsEnd(session.wakes) : NOBODY,
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

const ENDED_ALREADY = 'It has already ended; a notice tells you how. Do not poll for it.';
const NOBODY = 'Nobody will be told when it ends.';
const PATTERNS_DROPPED = 'The watch patterns were dropped, because its end is told: they are for background: true.';
