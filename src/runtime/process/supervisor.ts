/** Processes, as the rest of the host deals with them: started, found, waited for, ended, forgotten. */
import { pause, type Clock } from '../../ports/clock.js';
import type { ProcessId } from '../../contract/ids.js';
import type { Refusal } from '../../contract/refusal.js';
import { asksToEnd, type Signal } from '../../contract/process.js';
import type { WatchingFigures } from '../../domain/notice/overflow.js';
import type { Instant } from '../../domain/process/process.js';
import type { Redactor } from '../../domain/output/redaction.js';
import type { Member, Place } from '../../ports/place.js';
import type { ProcessRecord, Store } from '../../ports/store.js';
import { Companions, type CompanionSettings } from './companions.js';
import type { Tell } from '../events.js';
import type { Growth } from '../output/growth.js';
import { LastNotice } from './last-notice.js';
import { Ledger, type Heard } from './ledger.js';
import { Matches } from './matches.js';
import type { Notices } from '../notice/notices.js';
import { Observation } from './observation.js';
import { OutputReader } from '../output/output.js';
import { Places } from '../output/places.js';
import { Recovery } from './recovery.js';
import { Starting, type Order, type Started, type StartingSettings } from './starting.js';
import { Watching } from '../notice/watching.js';
import { Withdrawal } from './withdrawal.js';

export type SupervisorSettings = StartingSettings & CompanionSettings & { readonly watching: WatchingFigures };

export type Killed = {
  readonly outcome: 'ended' | 'already-ended' | 'signalled';
  readonly survivors: readonly Member[];
};

const ROWS_AT_ONCE = 500;

export class Supervisor {
  readonly places: Places;
  readonly reader: OutputReader;
  readonly #watching: Watching;
  readonly #matches: Matches;
  readonly #ledger: Ledger;
  readonly #companions: Companions;
  readonly #observation: Observation;
  readonly #starting: Starting;
  readonly #recovery: Recovery;

  constructor(
    readonly store: Store,
    places: readonly Place[],
    readonly clock: Clock,
    newId: () => ProcessId,
    readonly notices: Notices,
    readonly redactor: Redactor,
    readonly settings: SupervisorSettings,
    readonly tell: Tell,
  ) {
    this.places = new Places(places);
    this.reader = new OutputReader(this.places, redactor, (id) => this.#ledger.get(id));
    this.#matches = new Matches(store, () => this.#ledger, notices, redactor, clock, settings.watching, tell);
    this.#watching = new Watching(clock, redactor.redact, (id, read) => this.#matches.report(id, read), tell);
    this.#companions = new Companions(
      this.places,
      clock,
      settings,
      tell,
      new LastNotice({
        places: this.places,
        reader: this.reader,
        matches: this.#matches,
        watching: this.#watching,
        redact: redactor.redact,
        tail: settings.tail,
      }),
      this.#watching,
      () => this.#ledger,
      (id) => void this.#observation.lookAt(id),
    );
    this.#ledger = new Ledger(store, notices, clock, tell, this.#companions);
    const withdrawal = new Withdrawal(store, this.places, this.#ledger, tell);
    this.#observation = new Observation(this.places, this.#ledger, this.#companions, withdrawal, clock, tell);
    this.#starting = new Starting(
      store,
      this.places,
      this.#ledger,
      this.#observation,
      withdrawal,
      clock,
      newId,
      redactor,
      settings,
      tell,
    );
    this.#recovery = new Recovery(
      store,
      this.places,
      this.#ledger,
      this.#companions,
      this.#observation,
      withdrawal,
      clock,
      tell,
    );
  }

  get unfinished(): readonly ProcessRecord[] {
    return this.#ledger.unfinished;
  }

  unfinishedOne(id: ProcessId): ProcessRecord | undefined {
    return this.#ledger.get(id);
  }

  /** The freshest that is known: from memory while it has not ended, else from the store. */
  async get(id: ProcessId): Promise<ProcessRecord | undefined> {
    return this.#ledger.get(id) ?? this.store.processes.get(id);
  }

  /** Calls when a process may look different: it begins, runs, is asked to stop, has ended, was forgotten. */
  listen(heard: Heard): Disposable {
    return this.#ledger.listen(heard);
  }

  growth(id: ProcessId): Growth | undefined {
    return this.#companions.growth(id);
  }

  start(order: Order): Promise<Started | Refusal> {
    return this.#starting.start(order);
  }

  async recover(): Promise<void> {
    await this.#matches.recover();
    await this.#recovery.recover();
    this.#matches.start();
  }

  /** Until when the breaker holds back the matches of all processes, if it does. */
  get silentUntil(): Instant | undefined {
    return this.#matches.silentUntil;
  }

  sweep(all: boolean): Promise<void> {
    return this.#observation.sweep(all);
  }

  /** Over when the process has ended, when the time is up, or when the signal is aborted. */
  async wait(id: ProcessId, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const over = new AbortController();
    const abort = () => over.abort();
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    await Promise.race([this.#ledger.ended(id), pause(this.clock, timeoutMs, over.signal)]);
    signal?.removeEventListener('abort', abort);
    over.abort();
  }

  async kill(id: ProcessId, signal: Signal, by: string): Promise<Killed> {
    if (!this.#ledger.get(id)) return { outcome: 'already-ended', survivors: [] };
    if (!asksToEnd(signal)) return this.#signalOnly(id, signal);
    this.tell({ kind: 'stopAsked', process: id, by, signal });
    await this.#ledger.apply(id, { kind: 'stopAsked', by, signal });
    await this.#begun(id);
    const record = this.#ledger.get(id);
    // Asked again for one that did not end the last time.
    if (record) this.#companions.perform(record, { kind: 'terminate' });
    const survivors = await this.#companions.ending(id);
    await this.wait(id, this.settings.graceMs);
    return { outcome: this.#ledger.get(id) ? 'signalled' : 'ended', survivors };
  }

  /** A start that hangs, on a disk that does not answer, must not hang whoever wants to end it. */
  async #begun(id: ProcessId): Promise<void> {
    await Promise.race([this.#ledger.begun(id), pause(this.clock, this.settings.launchMs)]);
  }

  /** Forgets ended processes: first the files, then the rows, so that nothing is left that nobody remembers. */
  async forget(ids: readonly ProcessId[]): Promise<void> {
    const gone: Pick<ProcessRecord, 'id' | 'session'>[] = [];
    for (const id of ids) {
      const record = await this.store.processes.get(id);
      try {
        if (record && (await this.#stillLives(record))) continue;
        if (record) await this.places.of(record).remove(id);
        gone.push(record ?? { id });
      } catch (error) {
        this.tell({ kind: 'fault', during: `removing the files of ${id}`, error });
      }
    }
    for (let at = 0; at < gone.length; at += ROWS_AT_ONCE) {
      const some = gone.slice(at, at + ROWS_AT_ONCE);
      await this.store.transact(({ processes }) => processes.remove(some.map(({ id }) => id)));
      for (const record of some) this.#ledger.changed(record);
    }
  }

  /** Whatever its row says: what a command can still write to is not taken away under it. */
  async #stillLives(record: ProcessRecord): Promise<boolean> {
    const { lifecycle } = record;
    return lifecycle.kind !== 'starting' && !!lifecycle.owned && this.places.of(record).isAlive(lifecycle.owned);
  }

  /** Lets go of everything and leaves the processes alone. */
  async stop(): Promise<void> {
    this.#starting.stop();
    this.#observation.stop();
    this.#companions.stop();
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
