/**
 * The tool with which the agent manages its own processes.
 *
 *   1. It knows only the processes of its session: any other id is unknown.
 *   2. An outcome that shows how a process ended names it in `consumes`; what does not show it consumes nothing.
 */
import { z } from 'zod';
import { InputRequest } from '../../../contract/process.js';
import type { Clock } from '../../../ports/clock.js';
import type { OutputPage } from '../../../contract/output.js';
import { isRefusal, type Refusal } from '../../../contract/refusal.js';
import { printable } from '../../../contract/display.js';
import { shortened } from '../../../domain/output/excerpt.js';
import { showsEnd } from '../../../domain/notice/settle.js';
import { meant, PROCESS } from '../../../domain/process/naming.js';
import type { Member } from '../../../ports/place.js';
import type { ProcessRecord, Store } from '../../../ports/store.js';
import type { Inputs } from '../../process/inputs.js';
import type { Supervisor } from '../../process/supervisor.js';
import { answered, failed, tool, type Caller, type Tool, type ToolContext, type ToolOutcome } from './tool.js';
import type { Views } from '../../process/view.js';
import type { ApprovalParts } from './approval.js';
import { logLines, reachesTheEnd, headline, listed, outputLines, type LogFigures } from './process-text.js';
import { Typing } from './typing.js';

export type ProcessFigures = {
  readonly log: LogFigures;
  /** How long `wait` waits when it is not said, and how long at most. */
  readonly waitMs: number;
  readonly longestWaitMs: number;
};

export const PROCESS_FIGURES: ProcessFigures = {
  log: { lines: 200, bytes: 32_768 },
  waitMs: 60_000,
  longestWaitMs: 600_000,
};

export type ProcessParts = {
  readonly store: Store;
  readonly supervisor: Supervisor;
  readonly views: Views;
  readonly inputs: Inputs;
  readonly clock: Clock;
  readonly figures: ProcessFigures;
  readonly approval: ApprovalParts;
};

const DESCRIPTION = [
  'Manages the processes that terminal started in this session.',
  'list: all of them. poll: state, uptime and the last 20 lines. log: its output by lines. wait: until it ends or the time is up.',
  'kill: ends it with everything it started. write: sends data as it is. submit: sends data and a newline. close: ends its input.',
  'Do not poll, wait or sleep in a loop: a process with notify_on_complete wakes you when it ends, so end your turn instead.',
  'Once poll, log, wait or kill has shown you the end, you are not woken for it any more.',
].join('\n');

const Input = z.strictObject({
  action: z.enum(['list', 'poll', 'log', 'wait', 'kill', 'write', 'submit', 'close']),
  process_id: z.string().min(1).max(60).optional().describe('Needed by all but list. May be shortened.'),
  offset: z
    .int()
    .optional()
    .describe('log: the first line, counted from 0; a negative one counts from the end. Without it: the last lines.'),
  limit: z.int().min(1).max(10_000).optional().describe('log: how many lines. list: how many processes.'),
  timeout: z
    .number()
    .positive('a wait of zero or less waits for nothing: give a positive number of seconds')
    .optional()
    .describe('wait: how many seconds.'),
  data: InputRequest.shape.data.optional().describe('write, submit: the text for its input.'),
});
type Input = z.output<typeof Input>;
type Action = Exclude<Input['action'], 'list'>;

const POLL_TAIL = { lines: 20, characters: 4_000 };
const END_TAIL = { lines: 60, characters: 8_000 };
const LISTED = 50;
const NAMING = { ...PROCESS, listedBy: 'process list' };

export const processTool = (parts: ProcessParts): Tool => {
  const own = new OwnProcesses(parts);
  return tool('process', DESCRIPTION, Input, (input, context) => own.act(input, context));
};

class OwnProcesses {
  readonly #typing: Typing;

  constructor(readonly parts: ProcessParts) {
    this.#typing = new Typing(parts.approval, parts.clock);
  }

  async act({ action, process_id, ...input }: Input, context: ToolContext): Promise<ToolOutcome> {
    const all = await this.#of(context.caller);
    if (action === 'list') return this.#list(all, input.limit ?? LISTED);
    if (process_id === undefined) return failed(`process ${action} needs a process_id; process list shows them.`);
    const id = meant(
      process_id,
      NAMING,
      all.map((record) => record.id),
    );
    if (isRefusal(id)) return failed([id.why, ...(id.candidates ?? [])].join(' '));
    const record = await this.parts.supervisor.get(id);
    return record ? this.#on(action, record, input, context) : failed(`Process ${id} has just been forgotten.`);
  }

  #of({ session }: Caller): Promise<readonly ProcessRecord[]> {
    return this.parts.store.processes.list({ session });
  }

  #on(action: Action, record: ProcessRecord, input: Omit<Input, 'action'>, context: ToolContext): Promise<ToolOutcome> {
    switch (action) {
      case 'poll':
        return this.#poll(record);
      case 'log':
        return this.#log(record, input.offset, input.limit);
      case 'wait':
        return this.#wait(record, input.timeout, context);
      case 'kill':
        return this.#kill(record);
      case 'write':
      case 'submit':
        return this.#write(record, action, input.data, context);
      case 'close':
        return this.#sent(record, this.parts.inputs.close(record), 'The input is closed.');
    }
  }

  #list(all: readonly ProcessRecord[], limit: number): ToolOutcome {
    if (all.length === 0) return answered('This session has no processes.');
    const now = this.parts.clock.now();
    const shown = [...all.filter(isUnfinished), ...all.filter((record) => !isUnfinished(record))].slice(0, limit);
    const more = all.length > shown.length ? [`… and ${all.length - shown.length} more.`] : [];
    return answered([...shown.map((record) => listed(record, now)), ...more]);
  }

  async #poll(record: ProcessRecord): Promise<ToolOutcome> {
    const { waitingForInput } = await this.parts.views.of(record);
    return this.#shown(record, 'poll', POLL_TAIL, waitingForInput ? [WAITS_FOR_INPUT] : []);
  }

  async #log(record: ProcessRecord, offset: number | undefined, limit: number | undefined): Promise<ToolOutcome> {
    const { reader, redactor } = this.parts.supervisor;
    const { lines, bytes } = this.parts.figures.log;
    const asked = { lines: limit ?? lines, bytes };
    const page = await reader.page(record, { line: offset ?? -asked.lines, lines: asked.lines, limit: bytes });
    if (isRefusal(page)) return failed(page.why, { process: record.id });
    const head = reachesTheEnd(page) ? [headline(record, this.parts.clock.now())] : [];
    return this.#seen(record, 'log', [...head, ...logLines(page, asked, redactor.redact)], page);
  }

  async #wait({ id }: ProcessRecord, seconds: number | undefined, context: ToolContext): Promise<ToolOutcome> {
    const { figures, supervisor } = this.parts;
    const asked = seconds === undefined ? figures.waitMs : seconds * 1_000;
    await supervisor.wait(
      id,
      Math.min(asked, figures.longestWaitMs),
      AbortSignal.any([context.signal, context.spoken]),
    );
    const now = await supervisor.get(id);
    if (!now) return failed(`Process ${id} has just been forgotten.`);
    return this.#shown(now, 'wait', END_TAIL, isUnfinished(now) ? [whyNotOver(now, context)] : []);
  }

  async #kill({ id }: ProcessRecord): Promise<ToolOutcome> {
    const { outcome, survivors } = await this.parts.supervisor.kill(id, 'SIGTERM', 'agent');
    const now = await this.parts.supervisor.get(id);
    if (!now) return failed(`Process ${id} has just been forgotten.`);
    const said = outcome === 'already-ended' ? [ALREADY_ENDED] : [];
    return this.#shown(now, 'kill', END_TAIL, [
      ...said,
      ...(isUnfinished(now) ? [NOT_ENDED] : []),
      ...this.#named(survivors),
    ]);
  }

  #named(survivors: readonly Member[]): readonly string[] {
    const { redact } = this.parts.supervisor.redactor;
    return survivors.map(
      ({ identity, command }) =>
        `Still alive, even after SIGKILL: pid ${identity.pid}, ${shortened(printable(redact(command)), 200)}`,
    );
  }

  async #write(
    record: ProcessRecord,
    action: 'write' | 'submit',
    data: string | undefined,
    context: ToolContext,
  ): Promise<ToolOutcome> {
    if (action === 'write' && data === undefined) return failed('process write needs data: the text to send.');
    const text = action === 'submit' ? `${data ?? ''}\n` : (data ?? '');
    const objected = await this.#typing.send(record, text, context, () => this.parts.inputs.write(record, text));
    if (objected) return failed(objected, { process: record.id });
    return answered('Sent.', { process: record.id });
  }

  async #sent({ id }: ProcessRecord, sending: Promise<Refusal | undefined>, done: string): Promise<ToolOutcome> {
    const refusal = await sending;
    return refusal ? failed(refusal.why, { process: id }) : answered(done, { process: id });
  }

  async #shown(
    record: ProcessRecord,
    how: string,
    limits: typeof POLL_TAIL,
    remarks: readonly string[],
  ): Promise<ToolOutcome> {
    const tail = await this.parts.supervisor.reader.tail(record, limits);
    const lines = [headline(record, this.parts.clock.now()), ...remarks, ...outputLines(record.id, tail)];
    return this.#seen(record, how, lines);
  }

  #seen({ id, lifecycle, outputBytes }: ProcessRecord, how: string, lines: readonly string[], page?: OutputPage) {
    const shows = showsEnd({ state: lifecycle.kind, outputBytes }, page);
    return answered(lines, { process: id, ...(shows && { consumes: { process: id, how } }) });
  }
}

const isUnfinished = ({ lifecycle }: ProcessRecord): boolean => lifecycle.kind !== 'ended';

function whyNotOver({ notifyOnComplete }: ProcessRecord, { spoken }: ToolContext): string {
  const why = spoken.aborted ? 'The wait ended because a person sent a message' : 'The time is up';
  const then = notifyOnComplete
    ? 'its end will wake you, so do not wait in a loop'
    : 'wait again, or do something else';
  return `${why}: the process is still running, which is not an error; ${then}.`;
}

const ALREADY_ENDED = 'It had already ended: nothing was killed.';
const NOT_ENDED = 'It was signalled and has not ended yet.';
const WAITS_FOR_INPUT = 'It is quiet and waits for input: answer it with process submit.';
