/** Processes, as the rest of the host deals with them: started, found, waited for, ended, deleted. */
import { pause, type Clock } from '../../ports/clock.js';
import type { ProcessId } from '../../contract/ids.js';
import type { Refusal } from '../../contract/refusal.js';
import { asksToEnd, type Signal } from '../../contract/process.js';
import type { WatchingFigures } from '../../domain/notice/breaker.js';
import type { Instant } from '../../domain/process/process.js';
import type { Redactor } from '../../domain/output/redaction.js';
import type { Member, Place } from '../../ports/place.js';
import type { ProcessRecord } from '../../ports/store.js';
import type { Growth } from '../output/growth.js';
import { OutputReader } from '../output/output.js';
import { Places } from '../output/places.js';
import { Watching, type WatchingParts } from '../notice/watching.js';
import { Ending, type EndingSettings } from './ending.js';
import { Ledger, type Heard, type LedgerParts } from './ledger.js';
import { MatchNotices } from './match-notices.js';
import { Observation } from './observation.js';
import { Recovery } from './recovery.js';
import { RunningProcesses, type RunningSettings } from './running.js';
import { Starting, type Order, type Started, type StartingSettings } from './starting.js';

export type SupervisorSettings = StartingSettings &
  RunningSettings &
  EndingSettings & { readonly watching: WatchingFigures };

export type SupervisorParts = Omit<LedgerParts, 'places'> & {
  readonly places: readonly Place[];
  readonly newId: () => ProcessId;
  readonly settings: SupervisorSettings;
};

export type Killed = {
  readonly outcome: 'ended' | 'already-ended' | 'signalled';
  readonly survivors: readonly Member[];
};

const ROWS_AT_ONCE = 500;

export class Supervisor {
  readonly places: Places;
  readonly reader: OutputReader;
  readonly redactor: Redactor;
  readonly settings: SupervisorSettings;
  readonly #clock: Clock;
  readonly #watching: Watching;
  readonly #matches: MatchNotices;
  readonly #ledger: Ledger;
  readonly #running: RunningProcesses;
  readonly #observation: Observation;
  readonly #starting: Starting;

  constructor(readonly parts: SupervisorParts) {
    const { redactor, clock, tell, settings } = parts;
    this.redactor = redactor;
    this.settings = settings;
    this.#clock = clock;
    this.places = new Places(parts.places);
    this.reader = new OutputReader(this.places, redactor, (id) => this.#ledger.get(id));
    const shared = { ...parts, places: this.places };
    const ledger = () => this.#ledger;
    this.#matches = new MatchNotices(shared, ledger, settings.watching);
    const report: WatchingParts['report'] = (id, read) => this.#matches.report(id, read);
    this.#watching = new Watching({ reader: this.reader, clock, report, tell });
    const watched = { ...shared, reader: this.reader, matches: this.#matches, watching: this.#watching };
    const ending = new Ending(watched);
    const lookAt = (id: ProcessId) => void this.#observation.lookAt(id);
    this.#running = new RunningProcesses({ ...watched, ending, ledger, lookAt });
    this.#ledger = new Ledger(shared, this.#running);
    this.#observation = new Observation(shared, this.#ledger, this.#running);
    this.#starting = new Starting({ ...shared, ledger: this.#ledger, observation: this.#observation });
  }

  get unfinished(): readonly ProcessRecord[] {
    return this.#ledger.unfinished;
  }

  unfinishedOne(id: ProcessId): ProcessRecord | undefined {
    return this.#ledger.get(id);
  }

  /** The current record: from memory while the process has not ended, else from the store. */
  get(id: ProcessId): Promise<ProcessRecord | undefined> {
    return this.#ledger.find(id);
  }

  /** Calls when a process may look different: it begins, runs, is asked to stop, has ended, was forgotten. */
  listen(heard: Heard): Disposable {
    return this.#ledger.listen(heard);
  }

  growth(id: ProcessId): Growth | undefined {
    return this.#running.growth(id);
  }

  start(order: Order): Promise<Started | Refusal> {
    return this.#starting.start(order);
  }

  async recover(): Promise<void> {
    await this.#matches.recover();
    await new Recovery({ ...this.parts, places: this.places }, this.#ledger, this.#observation).recover();
    this.#matches.start();
  }

  /** Until when the breaker holds back the matches of all processes, if it does. */
  get silentUntil(): Instant | undefined {
    return this.#matches.silentUntil;
  }

  sweep(all: boolean): Promise<void> {
    return this.#observation.sweep(all);
  }

  /** Resolves when the process has ended, when the time is up, or when the signal is aborted. */
  async wait(id: ProcessId, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const over = new AbortController();
    const either = AbortSignal.any(signal ? [signal, over.signal] : [over.signal]);
    await Promise.race([this.#ledger.ended(id), pause(this.#clock, timeoutMs, either)]);
    over.abort();
  }

  async kill(id: ProcessId, signal: Signal, by: string): Promise<Killed> {
    if (!this.#ledger.get(id)) return { outcome: 'already-ended', survivors: [] };
    if (!asksToEnd(signal)) return this.#signalOnly(id, signal);
    this.parts.tell({ kind: 'stopAsked', process: id, by, signal });
    await this.#ledger.apply(id, { kind: 'stopAsked', by, signal });
    await this.#begun(id);
    const record = this.#ledger.get(id);
    // It may have survived an earlier kill.
    if (record) this.#running.perform(record, { kind: 'terminate' });
    const survivors = await this.#running.terminations.survivors(id);
    await this.wait(id, this.settings.graceMs);
    return { outcome: this.#ledger.get(id) ? 'signalled' : 'ended', survivors };
  }

  /** A start that hangs on a disk that does not answer must not hang a kill. */
  async #begun(id: ProcessId): Promise<void> {
    await Promise.race([this.#ledger.begun(id), pause(this.#clock, this.settings.launchMs)]);
  }

  /** Deletes ended processes: first the files, then the rows, so that no files are left without a row. */
  async forget(ids: readonly ProcessId[]): Promise<void> {
    const gone: Pick<ProcessRecord, 'id' | 'session'>[] = [];
    for (const id of ids) {
      const record = await this.parts.store.processes.get(id);
      try {
        if (record && (await this.#stillLives(record))) continue;
        if (record) await this.places.of(record).remove(id);
        gone.push(record ?? { id });
      } catch (error) {
        this.parts.tell({ kind: 'fault', during: `removing the files of ${id}`, error });
      }
    }
    for (let at = 0; at < gone.length; at += ROWS_AT_ONCE) {
      const some = gone.slice(at, at + ROWS_AT_ONCE);
      await this.parts.store.transact(({ processes }) => processes.remove(some.map(({ id }) => id)));
      for (const record of some) this.#ledger.changed(record);
    }
  }

  /** Whatever its row says: files that a command can still write to are not deleted. */
  async #stillLives(record: ProcessRecord): Promise<boolean> {
    const { lifecycle } = record;
    const owned = lifecycle.kind === 'starting' ? undefined : lifecycle.owned;
    return owned !== undefined && (await this.places.of(record).countAlive([owned.command])) > 0;
  }

  /** Stops everything here and leaves the processes alone. */
  async stop(): Promise<void> {
    this.#starting.stop();
    this.#observation.stop();
    this.#running.stop();
    await this.#watching.stopAll();
    await this.#matches.stop();
    await Promise.all(this.places.all.map((place) => place.close()));
  }

  async #signalOnly(id: ProcessId, signal: Signal): Promise<Killed> {
    await this.#begun(id);
    const record = this.#ledger.get(id);
    if (record?.lifecycle.kind !== 'running') return { outcome: 'already-ended', survivors: [] };
    const { owned } = record.lifecycle;
    await this.places.of(record).signal(owned, [{ identity: owned.command, command: '' }], signal);
    return { outcome: 'signalled', survivors: [] };
  }
}
