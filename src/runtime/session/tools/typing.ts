/** What an agent types into its processes: judged, approved where the policy wants that, and sent, one after the other. */
import type { Clock } from '../../../ports/clock.js';
import type { ProcessId } from '../../../contract/ids.js';
import type { Refusal } from '../../../contract/refusal.js';
import type { Typed, TypedJudgement } from '../../../domain/approval/typed-input.js';
import type { ProcessRecord } from '../../../ports/store.js';
import { SerialQueue } from '../../serial-queue.js';
import type { ToolContext } from './tool.js';
import { objection, type ApprovalParts } from './approval.js';

/** More processes than can run at once: the one that was typed into least recently is forgotten. */
const MOST = 1_000;

export class Typing {
  readonly #typed = new Map<ProcessId, Typed>();
  readonly #queue = new SerialQueue<ProcessId>();
  /** What was typed into a process that is older than this is not known. */
  readonly #since: number;

  constructor(
    readonly approval: ApprovalParts,
    clock: Clock,
  ) {
    this.#since = clock.now();
  }

  /** Why it was not sent; nothing when it was. Calls for one process take their turns, so that each knows the one before. */
  send(
    record: ProcessRecord,
    text: string,
    context: ToolContext,
    write: () => Promise<Refusal | undefined>,
  ): Promise<string | undefined> {
    return this.#queue.run(record.id, () => this.#send(record, text, context, write));
  }

  async #send(
    record: ProcessRecord,
    text: string,
    context: ToolContext,
    write: () => Promise<Refusal | undefined>,
  ): Promise<string | undefined> {
    const { cwd, place } = record;
    const judgement = this.approval.policy === 'risky' ? await this.#judged(record, text) : undefined;
    const shown = `${text}\n\n(typed into ${record.id}: ${record.command})`;
    const act = { kind: 'input', command: text, cwd, place, shown, whyRisky: () => judgement?.why } as const;
    const objected = await objection(act, context, this.approval);
    if (objected) return objected;
    const refusal = await write();
    if (refusal) return refusal.why;
    if (judgement) this.#keep(record.id, judgement.next);
    return undefined;
  }

  #keep(id: ProcessId, next: Typed): void {
    this.#typed.delete(id);
    this.#typed.set(id, next);
    for (const oldest of this.#typed.keys()) {
      if (this.#typed.size <= MOST) break;
      this.#typed.delete(oldest);
    }
  }

  async #judged(record: ProcessRecord, text: string): Promise<TypedJudgement> {
    const { nothingTyped, typedInto } = await import('../../../domain/approval/typed-input.js');
    const where = { ...this.approval.homes, cwd: record.cwd };
    const typed = this.#typed.get(record.id) ?? nothingTyped(record.command, where, record.startedAt < this.#since);
    return typedInto(typed, text, record.pty, where);
  }
}
