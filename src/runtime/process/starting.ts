/**
 * Starting a process.
 *
 *   admit ─▶ store ─▶ prepare the folder ─▶ request the launch ─▶ see it run
 *
 * The record is stored before the folder exists, and the folder exists before the launch is requested: a crash between
 * any two steps leaves something that the recovery can name and settle.
 */
import { pause } from '../../ports/clock.js';
import type { ProcessId } from '../../contract/ids.js';
import type { StartRequest } from '../../contract/process.js';
import { isRefusal, refuse, type Refusal } from '../../contract/refusal.js';
import { admitStart, type StartLimits } from '../../domain/process/limits.js';
import { compileWatch } from '../../domain/notice/matcher.js';
import { alreadyEnded, promise, type Promised } from '../../domain/notice/policy.js';
import { nothingReleased } from '../../domain/output/quota.js';
import { printable } from '../../domain/output/text.js';
import type { Place } from '../../ports/place.js';
import type { ProcessRecord, SessionRecord } from '../../ports/store.js';
import type { Ledger, LedgerParts } from './ledger.js';
import type { Observation } from './observation.js';
import type { Places } from '../output/places.js';

export type StartingSettings = StartLimits & { readonly launchMs: number };

export type StartingParts = LedgerParts & {
  readonly ledger: Ledger;
  readonly observation: Observation;
  readonly newId: () => ProcessId;
  readonly settings: StartingSettings;
};

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

  constructor(readonly parts: StartingParts) {}

  async start(order: Order): Promise<Started | Refusal> {
    const known = order.id && (await this.parts.ledger.find(order.id));
    if (known) return { process: known, notes: promise(order, order.session).notes };
    const began = this.parts.clock.monotonic();
    const place = this.parts.places.find(order.place);
    if (!place) return this.#refuse(noSuchPlace(order.place, this.parts.places));
    const cwd = order.cwd ?? place.defaultCwd;
    const refusal = (await place.check({ pty: order.pty })) ?? this.#admit(order);
    if (refusal) return this.#refuse(refusal);
    // Opened right after it was admitted, so that no two starts take the last place.
    const promised = promise(order, order.session);
    const record = this.#recordOf(order, promised, cwd);
    this.parts.ledger.open(record);
    await this.#storeAndPrepare(place, record, order);
    place.launch(record.id);
    const refused = await this.#launched(place, record);
    if (refused) return this.#refuse(withDirectory(refused, cwd));
    const tookMs = this.parts.clock.monotonic() - began;
    this.parts.tell({ kind: 'processStarted', process: record.id, place: place.name, tookMs });
    const process = (await this.parts.ledger.find(record.id)) ?? record;
    return { process, notes: [...promised.notes, ...(await this.#onceEnded(process))] };
  }

  async #onceEnded(process: ProcessRecord): Promise<readonly string[]> {
    if (process.lifecycle.kind !== 'ended') return [];
    const watched = process.watchPatterns.length > 0;
    const notices = watched ? await this.parts.store.notices.list({ process: process.id, limit: 1 }) : [];
    return alreadyEnded(process, notices.length);
  }

  stop(): void {
    this.#stopped = true;
  }

  #refuse(refusal: Refusal): Refusal {
    this.parts.tell({ kind: 'startRefused', why: refusal.why });
    return refusal;
  }

  #admit({ session, watchPatterns }: Order): Refusal | undefined {
    if (this.#stopped)
      return refuse('stopping', 'This host is stopping and starts no more processes. Try again when a new host runs.');
    if (session?.closedAt !== undefined)
      return refuse(
        'session-closed',
        `Session ${session.id} is closed, so no process can start for it. Use another session.`,
      );
    const matcher = compileWatch(watchPatterns);
    return isRefusal(matcher) ? matcher : admitStart(this.parts.settings, this.parts.ledger.unfinished, session?.id);
  }

  #recordOf(order: Order, { notifyOnComplete, watchPatterns }: Promised, cwd: string): ProcessRecord {
    const name = order.name && printable(this.parts.redactor.redact(order.name));
    return {
      id: order.id ?? this.parts.newId(),
      ...(order.session && { session: order.session.id }),
      ...(name && { name }),
      command: this.parts.redactor.redact(order.command),
      cwd,
      place: order.place,
      pty: order.pty,
      notifyOnComplete,
      watchPatterns,
      ...(order.generation !== undefined && { generation: order.generation }),
      ...(order.timeoutMs && { timeoutMs: order.timeoutMs }),
      startedAt: this.parts.clock.now(),
      lifecycle: { kind: 'starting' },
      released: nothingReleased,
    };
  }

  async #storeAndPrepare(place: Place, record: ProcessRecord, order: Order): Promise<void> {
    try {
      await this.parts.store.transact((transaction) => transaction.processes.insert(record));
      const { command, env = {}, pty } = order;
      await place.prepare(record.id, { command, cwd: record.cwd, env, pty });
    } catch (error) {
      await this.parts.ledger.withdraw(record);
      throw error;
    }
  }

  /** Waits for the command to run. A launch that never comes is called off, so that it cannot come later. */
  async #launched(place: Place, record: ProcessRecord): Promise<Refusal | undefined> {
    const { ledger, observation, clock, settings } = this.parts;
    const { id } = record;
    const begun = ledger.begun(id);
    await Promise.race([begun, pause(clock, settings.launchMs)]);
    if (this.#isStarting(id)) await observation.lookAt(id);
    if (!this.#isStarting(id)) return begun;
    if (!(await place.abandon(id))) return undefined;
    await ledger.withdraw(record);
    return NOT_IN_TIME;
  }

  #isStarting(id: ProcessId): boolean {
    return this.parts.ledger.get(id)?.lifecycle.kind === 'starting';
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
