/**
 * Starting a process.
 *
 *   admit ─▶ remember ─▶ prepare the folder ─▶ ask for the launch ─▶ see it run
 *
 * The record stands in the store before the folder exists, the folder before the launch is asked for: dying between
 * any two of these leaves something that the recovery can name and settle.
 */
import { pause, type Clock } from '../../ports/clock.js';
import type { ProcessId } from '../../contract/ids.js';
import type { StartRequest } from '../../contract/process.js';
import { isRefusal, refuse, type Refusal } from '../../contract/refusal.js';
import { admitStart, type StartLimits } from '../../domain/process/limits.js';
import { compileWatch } from '../../domain/notice/matcher.js';
import { alreadyEnded, promise, type Promised } from '../../domain/notice/policy.js';
import { nothingReleased } from '../../domain/output/quota.js';
import type { Redactor } from '../../domain/output/redaction.js';
import { printable } from '../../domain/output/text.js';
import type { Place } from '../../ports/place.js';
import type { ProcessRecord, SessionRecord, Store } from '../../ports/store.js';
import type { Tell } from '../events.js';
import type { Ledger } from './ledger.js';
import type { Observation } from './observation.js';
import type { Places } from '../output/places.js';
import type { Withdrawal } from './withdrawal.js';

export type StartingSettings = StartLimits & { readonly launchMs: number };

/** A request, and the session that it is for. */
export type Order = Omit<StartRequest, 'session'> & {
  readonly session?: SessionRecord | undefined;
  /** Of the turn that starts it. */
  readonly generation?: number;
  /** Chosen by the caller. A process that has this id already was started before, and is not started again. */
  readonly id?: ProcessId;
};

export type Started = { readonly process: ProcessRecord; readonly notes: readonly string[] };

export class Starting {
  #stopped = false;

  constructor(
    readonly store: Store,
    readonly places: Places,
    readonly ledger: Ledger,
    readonly observation: Observation,
    readonly withdrawal: Withdrawal,
    readonly clock: Clock,
    readonly newId: () => ProcessId,
    readonly redactor: Redactor,
    readonly settings: StartingSettings,
    readonly tell: Tell,
  ) {}

  async start(order: Order): Promise<Started | Refusal> {
    const known = order.id && (this.ledger.get(order.id) ?? (await this.store.processes.get(order.id)));
    if (known) return { process: known, notes: promise(order, order.session).notes };
    const began = this.clock.monotonic();
    const place = this.places.find(order.place);
    if (!place) return this.#refuse(noSuchPlace(order.place, this.places));
    const cwd = order.cwd ?? place.defaultCwd;
    const refusal = (await place.check({ pty: order.pty })) ?? this.#admit(order);
    if (refusal) return this.#refuse(refusal);
    // Entered at once after it was admitted, so that no two take the last place.
    const promised = promise(order, order.session);
    const record = this.#recordOf(order, promised, cwd);
    this.ledger.open(record);
    await this.#rememberAndPrepare(place, record, order);
    place.launch(record.id);
    const refused = await this.#launched(place, record);
    if (refused) return this.#refuse(withDirectory(refused, cwd));
    this.tell({
      kind: 'processStarted',
      process: record.id,
      place: place.name,
      tookMs: this.clock.monotonic() - began,
    });
    const process = this.ledger.get(record.id) ?? (await this.store.processes.get(record.id)) ?? record;
    return { process, notes: [...promised.notes, ...(await this.#onceEnded(process))] };
  }

  async #onceEnded(process: ProcessRecord): Promise<readonly string[]> {
    if (process.lifecycle.kind !== 'ended') return [];
    const watched = process.watchPatterns.length > 0;
    const notices = watched ? await this.store.notices.list({ process: process.id, limit: 1 }) : [];
    return alreadyEnded(process, notices.length);
  }

  stop(): void {
    this.#stopped = true;
  }

  #refuse(refusal: Refusal): Refusal {
    this.tell({ kind: 'startRefused', why: refusal.why });
    return refusal;
  }

  #admit({ session, watchPatterns }: Order): Refusal | undefined {
    if (this.#stopped) return refuse('stopping', 'This host is stopping and starts nothing any more.');
    if (session?.closedAt !== undefined)
      return refuse('session-closed', `Session ${session.id} is closed: nothing starts for it any more.`);
    const matcher = compileWatch(watchPatterns);
    return isRefusal(matcher) ? matcher : admitStart(this.settings, this.ledger.unfinished, session?.id);
  }

  #recordOf(order: Order, { notifyOnComplete, watchPatterns }: Promised, cwd: string): ProcessRecord {
    const name = order.name && printable(this.redactor.redact(order.name));
    return {
      id: order.id ?? this.newId(),
      ...(order.session && { session: order.session.id }),
      ...(name && { name }),
      command: this.redactor.redact(order.command),
      cwd,
      place: order.place,
      pty: order.pty,
      notifyOnComplete,
      watchPatterns,
      ...(order.generation !== undefined && { generation: order.generation }),
      ...(order.timeoutMs && { timeoutMs: order.timeoutMs }),
      startedAt: this.clock.now(),
      lifecycle: { kind: 'starting' },
      released: nothingReleased,
    };
  }

  async #rememberAndPrepare(place: Place, record: ProcessRecord, order: Order): Promise<void> {
    try {
      await this.store.transact((transaction) => transaction.processes.insert(record));
      const { command, env = {}, pty } = order;
      await place.prepare(record.id, { command, cwd: record.cwd, env, pty });
    } catch (error) {
      await this.withdrawal.takeBack(record);
      throw error;
    }
  }

  /** Waits for the command to run. A launch that never comes is called off, so that it cannot come later. */
  async #launched(place: Place, record: ProcessRecord): Promise<Refusal | undefined> {
    const { id } = record;
    await Promise.race([this.ledger.begun(id), pause(this.clock, this.settings.launchMs)]);
    if (this.#isStarting(id)) await this.observation.lookAt(id);
    const refusal = this.observation.refusalOf(id);
    if (refusal || !this.#isStarting(id) || !(await place.abandon(id))) return refusal;
    await this.withdrawal.takeBack(record);
    return NOT_IN_TIME;
  }

  #isStarting(id: ProcessId): boolean {
    return this.ledger.get(id)?.lifecycle.kind === 'starting';
  }
}

const NOT_IN_TIME = refuse(
  'did-not-start',
  'The command could not be started in time. Nothing was left running; try again.',
);

export const noSuchPlace = (name: string, places: Places): Refusal =>
  refuse(
    'no-such-place',
    `There is no place "${printable(name).slice(0, 60)}". Known: ${places.all.map((place) => place.name).join(', ')}.`,
  );

/** The shim knows that it could not enter the directory; which one it was, we know. */
const withDirectory = (refusal: Refusal, cwd: string): Refusal =>
  refusal.refused === 'no-such-directory' ? { ...refusal, why: `${printable(cwd)}: ${refusal.why}` } : refusal;
