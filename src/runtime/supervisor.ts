/**
 * Starts processes, sees how they fare, ends them.
 *
 *   start:   admit ─▶ remember ─▶ prepare the folder ─▶ ask for the launch ─▶ see it run
 *   observe: something rang, or a sweep came by ─▶ look ─▶ the machine ─▶ remember ─▶ act
 *
 * The record stands in the store before the folder exists, the folder before the launch is asked for: dying between
 * any two of these leaves something that `recover` can name and settle.
 */
import type { Clock } from '../clock.js';
import { pause } from '../clock.js';
import type { ProcessId } from '../contract/ids.js';
import type { StartRequest } from '../contract/process.js';
import { isRefusal, refuse, type Refusal } from '../contract/refusal.js';
import { asksToEnd, type Signal } from '../contract/signal.js';
import { admitStart, type StartLimits } from '../domain/admission.js';
import type { Effect } from '../domain/process.js';
import { nothingReleased } from '../domain/quota.js';
import type { Redactor } from '../domain/redaction.js';
import { printable } from '../domain/text.js';
import type { Member, Place, Sighting } from '../place.js';
import type { ProcessChange, ProcessRecord, Store } from '../store.js';
import type { Tell } from './events.js';
import { Growth } from './growth.js';
import { Ledger } from './ledger.js';
import { Termination } from './termination.js';
import { Wakes } from './wakes.js';

export type SupervisorSettings = StartLimits & {
  readonly quotaBytes: number;
  readonly graceMs: number;
  readonly launchMs: number;
};

export type Killed = {
  readonly outcome: 'ended' | 'already-ended' | 'signalled';
  readonly survivors: readonly Member[];
};

export class Supervisor {
  readonly #ledger: Ledger;
  readonly #looks: Wakes<ProcessId>;
  readonly #growths = new Map<ProcessId, Growth>();
  readonly #endings = new Map<ProcessId, Promise<readonly Member[]>>();
  readonly #refusals = new Map<ProcessId, Refusal>();
  readonly #termination: Termination;
  readonly #bells: Disposable[];
  #stopping = false;

  constructor(
    readonly store: Store,
    readonly places: ReadonlyMap<string, Place>,
    readonly clock: Clock,
    readonly newId: () => ProcessId,
    readonly redactor: Redactor,
    readonly settings: SupervisorSettings,
    readonly tell: Tell,
  ) {
    this.#ledger = new Ledger(
      store,
      clock,
      tell,
      (record) => this.#lastFacts(record),
      (record, effect) => this.#perform(record, effect),
    );
    this.#looks = new Wakes(
      (id) => this.#observe(id),
      (error) => tell({ kind: 'fault', during: 'looking at a process', error }),
    );
    this.#termination = new Termination(clock, settings.graceMs);
    this.#bells = [...places.values()].map((place) => place.listen((id) => void this.#looks.wake(id)));
  }

  get unfinished(): readonly ProcessRecord[] {
    return this.#ledger.unfinished;
  }

  /** The freshest that is known: from memory while it has not ended, else from the store. */
  async get(id: ProcessId): Promise<ProcessRecord | undefined> {
    return this.#ledger.get(id) ?? this.store.processes.get(id);
  }

  growth(id: ProcessId): Growth | undefined {
    return this.#growths.get(id);
  }

  placeOf(name: string): Place {
    const place = this.places.get(name);
    if (!place) throw new Error(`A process is remembered in the place "${name}", which is not configured.`);
    return place;
  }

  async start(request: StartRequest): Promise<ProcessRecord | Refusal> {
    const place = this.places.get(request.place);
    if (!place)
      return refuse(
        'no-such-place',
        `There is no place "${printable(request.place).slice(0, 60)}". Known: ${[...this.places.keys()].join(', ')}.`,
      );
    const cwd = request.cwd ?? place.defaultCwd;
    const refusal = (await place.check({ cwd, pty: request.pty })) ?? this.#admit(request);
    if (refusal) {
      this.tell({ kind: 'startRefused', why: refusal.why });
      return refusal;
    }
    const record = this.#recordOf(request, cwd);
    const before = this.clock.monotonic();
    this.#ledger.open(record);
    try {
      await this.store.transact((transaction) => transaction.processes.insert(record));
      await place.prepare(record.id, { command: request.command, cwd, env: request.env ?? {}, pty: request.pty });
    } catch (error) {
      await this.#takeBack(place, record.id);
      throw error;
    }
    place.launch(record.id);
    const refused = await this.#launched(place, record.id);
    if (refused) return refused;
    this.tell({
      kind: 'processStarted',
      process: record.id,
      place: place.name,
      tookMs: this.clock.monotonic() - before,
    });
    return (await this.get(record.id)) ?? record;
  }

  /** Over when the process has ended, when the time is up, or when the signal is aborted. */
  async wait(id: ProcessId, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const over = new AbortController();
    const abort = () => over.abort();
    signal?.addEventListener('abort', abort);
    await Promise.race([this.#ledger.ended(id), pause(this.clock, timeoutMs, over.signal)]);
    signal?.removeEventListener('abort', abort);
    over.abort();
  }

  async kill(id: ProcessId, signal: Signal, by: string): Promise<Killed> {
    if (!this.#ledger.get(id)) return { outcome: 'already-ended', survivors: [] };
    if (!asksToEnd(signal)) return this.#signalOnly(id, signal);
    this.tell({ kind: 'stopAsked', process: id, by, signal });
    await this.#ledger.apply(id, { kind: 'stopAsked', by, signal });
    await this.#ledger.begun(id);
    const survivors = (await this.#endings.get(id)) ?? [];
    await Promise.race([this.#ledger.ended(id), pause(this.clock, this.settings.graceMs)]);
    return { outcome: this.#ledger.get(id) ? 'signalled' : 'ended', survivors };
  }

  /** After a start of the host: settles or takes up everything that had not ended. */
  async recover(): Promise<void> {
    const before = this.clock.monotonic();
    const unfinished = [
      ...(await this.store.processes.list({ state: 'starting' })),
      ...(await this.store.processes.list({ state: 'running' })),
    ];
    for (const record of unfinished) {
      this.#ledger.open(record);
      if (record.lifecycle.kind === 'running') this.#takeUp(record);
    }
    await Promise.all(unfinished.map((record) => this.#resolve(record)));
    await this.#sweepFolders();
    const running = this.#ledger.unfinished.length;
    this.tell({
      kind: 'recovered',
      running,
      ended: unfinished.length - running,
      tookMs: this.clock.monotonic() - before,
    });
  }

  /** Looks at those that rang; at everybody with `all`. The net under the bell. */
  async sweep(all: boolean): Promise<void> {
    const rang = await Promise.all([...this.places.values()].map((place) => place.ringing()));
    const ids = new Set(all ? this.#ledger.unfinished.map((record) => record.id) : []);
    for (const id of rang.flat()) ids.add(id);
    if (all) for (const growth of this.#growths.values()) growth.look();
    await Promise.all([...ids].map((id) => this.#looks.wake(id)));
  }

  /** Forgets ended processes: first the rows, then the files, which `recover` would otherwise find and remove. */
  async forget(ids: readonly ProcessId[]): Promise<void> {
    const records = await Promise.all(ids.map((id) => this.store.processes.get(id)));
    await this.store.transact((transaction) => transaction.processes.remove(ids));
    for (const record of records) if (record) await this.places.get(record.place)?.remove(record.id);
  }

  /** Lets go of everything and leaves the processes alone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const bell of this.#bells) bell[Symbol.dispose]();
    for (const growth of this.#growths.values()) growth.stop();
    await Promise.all([...this.places.values()].map((place) => place.close()));
  }

  #admit(request: StartRequest): Refusal | undefined {
    if (this.#stopping) return refuse('stopping', 'This host is stopping and starts nothing any more.');
    return admitStart(this.settings, this.#ledger.unfinished, request.session);
  }

  #recordOf(request: StartRequest, cwd: string): ProcessRecord {
    const name = request.name && printable(this.redactor.redact(request.name));
    return {
      id: this.newId(),
      ...(request.session && { session: request.session }),
      ...(name && { name }),
      command: this.redactor.redact(request.command),
      cwd,
      place: request.place,
      pty: request.pty,
      notifyOnComplete: request.notifyOnComplete,
      watchPatterns: request.watchPatterns,
      ...(request.timeoutMs && { timeoutMs: request.timeoutMs }),
      startedAt: this.clock.now(),
      lifecycle: { kind: 'starting' },
      released: nothingReleased,
    };
  }

  /** Waits for the command to run. A launch that never comes is called off, so that it cannot come later. */
  async #launched(place: Place, id: ProcessId): Promise<Refusal | undefined> {
    await Promise.race([this.#ledger.begun(id), pause(this.clock, this.settings.launchMs)]);
    if (this.#ledger.get(id)?.lifecycle.kind === 'starting') await this.#looks.wake(id);
    if (this.#ledger.get(id)?.lifecycle.kind === 'starting' && (await place.abandon(id)))
      this.#refusals.set(
        id,
        refuse('did-not-start', 'The command could not be started in time. Nothing was left running; try again.'),
      );
    const refusal = this.#refusals.get(id);
    if (refusal) await this.#takeBack(place, id);
    return refusal;
  }

  async #takeBack(place: Place, id: ProcessId): Promise<void> {
    this.#refusals.delete(id);
    this.#ledger.close(id);
    try {
      await this.store.transact((transaction) => transaction.processes.remove([id]));
      await place.remove(id);
    } catch (error) {
      // A full disk, mostly. What is left is found and settled at the next start of a host.
      this.tell({ kind: 'fault', during: `taking back the start of ${id}`, error });
    }
  }

  async #observe(id: ProcessId): Promise<void> {
    const record = this.#ledger.get(id);
    if (!record) return this.#hushStranger(id);
    const place = this.placeOf(record.place);
    const sighting = await place.look(id);
    await this.#heed(record, sighting);
    if (sighting.kind !== 'unclaimed' && sighting.kind !== 'claimed') place.hush(id);
  }

  async #heed(record: ProcessRecord, sighting: Sighting): Promise<void> {
    const { id } = record;
    switch (sighting.kind) {
      case 'unclaimed':
      case 'claimed':
        return;
      case 'running':
        return this.#ledger.apply(id, { kind: 'launched', owned: sighting.owned }).then(() => this.#takeUpById(id));
      case 'exited':
        return this.#ledger.apply(id, {
          kind: 'exited',
          record: sighting.record,
          at: sighting.at,
          ...(sighting.owned && { owned: sighting.owned }),
        });
      case 'gone':
        return this.#ledger.apply(id, { kind: 'vanished', why: sighting.why });
      case 'refused':
        this.#refusals.set(id, sighting.refusal);
        return this.#ledger.apply(id, { kind: 'notStarted', why: sighting.refusal.why });
    }
  }

  /** A bell of a process that has ended, or was forgotten. */
  async #hushStranger(id: ProcessId): Promise<void> {
    for (const place of this.places.values()) place.hush(id);
  }

  /** What a fresh host makes of a process that had not ended when the last one died. */
  async #resolve(record: ProcessRecord): Promise<void> {
    const place = this.placeOf(record.place);
    const sighting = await place.look(record.id);
    const neverStarted = sighting.kind === 'gone' && record.lifecycle.kind === 'starting';
    const calledOff = sighting.kind === 'unclaimed' && (await place.abandon(record.id));
    const diedStarting = sighting.kind === 'claimed' && !sighting.alive;
    if (neverStarted || calledOff || diedStarting)
      await this.#ledger.apply(record.id, {
        kind: 'notStarted',
        why: 'never started: the host died before the command could run',
      });
    await this.#looks.wake(record.id);
  }

  #takeUpById(id: ProcessId): void {
    const record = this.#ledger.get(id);
    if (record) this.#takeUp(record);
  }

  /** Everything that goes along with a running process. Again for the same one: nothing. */
  #takeUp(record: ProcessRecord): void {
    if (this.#growths.has(record.id)) return;
    const growth = new Growth(
      record.id,
      this.placeOf(record.place),
      this.clock,
      this.settings.quotaBytes,
      (id, note) => this.#ledger.note(id, note),
      this.tell,
      record,
    );
    this.#growths.set(record.id, growth);
    growth.look();
    if (record.timeoutMs) this.#limit(record, record.timeoutMs);
    if (record.lifecycle.kind === 'running' && record.lifecycle.stop) this.#perform(record, { kind: 'terminate' });
  }

  #limit(record: ProcessRecord, timeoutMs: number): void {
    const leftMs = Math.min(timeoutMs, Math.max(0, record.startedAt + timeoutMs - this.clock.now()));
    this.clock.alarm(leftMs, () => {
      if (this.#stopping) return;
      this.kill(record.id, 'SIGTERM', `limit of ${timeoutMs} ms`).catch((error: unknown) =>
        this.tell({ kind: 'fault', during: `ending ${record.id} at its limit`, error }),
      );
    });
  }

  #perform(record: ProcessRecord, effect: Effect): void {
    switch (effect.kind) {
      case 'terminate':
        return this.#terminate(record);
      case 'announceEnd':
        this.#growths.get(record.id)?.stop();
        this.#growths.delete(record.id);
        return;
    }
  }

  #terminate({ id, place, lifecycle }: ProcessRecord): void {
    if (lifecycle.kind !== 'running' || !lifecycle.stop) return;
    const ending = this.#termination
      .end(this.placeOf(place), id, lifecycle.owned, lifecycle.stop.signal, () =>
        this.#ledger.apply(id, { kind: 'graceOver' }),
      )
      .then((survivors) => {
        if (survivors.length > 0)
          this.tell({ kind: 'survivorsLeft', process: id, pids: survivors.map((member) => member.identity.pid) });
        void this.#looks.wake(id);
        return survivors;
      })
      .catch((error: unknown) => {
        this.tell({ kind: 'fault', during: `ending ${id}`, error });
        return [];
      });
    this.#endings.set(id, ending);
    void ending.finally(() => this.#endings.get(id) === ending && this.#endings.delete(id));
  }

  async #signalOnly(id: ProcessId, signal: Signal): Promise<Killed> {
    await this.#ledger.begun(id);
    const record = this.#ledger.get(id);
    if (record?.lifecycle.kind !== 'running') return { outcome: 'already-ended', survivors: [] };
    const { owned } = record.lifecycle;
    await this.placeOf(record.place).signal(owned, [{ identity: owned.command, command: '', foreign: false }], signal);
    return { outcome: 'signalled', survivors: [] };
  }

  async #lastFacts(record: ProcessRecord): Promise<ProcessChange> {
    const size = await this.placeOf(record.place).outputSize(record.id);
    return isRefusal(size)
      ? {
          outputBytes: this.#growths.get(record.id)?.size ?? 0,
          ...(record.damage ? {} : damageUnlessNew(record, size)),
        }
      : { outputBytes: size };
  }

  /** Folders that no record knows: left over from a forgetting that was cut short. One that still runs is left alone. */
  async #sweepFolders(): Promise<void> {
    for (const place of this.places.values())
      for (const id of await place.folders()) {
        if (await this.get(id)) continue;
        const sighting = await place.look(id);
        if (sighting.kind === 'running' || sighting.kind === 'claimed')
          this.tell({ kind: 'strangerFolder', process: id });
        else await place.remove(id);
      }
  }
}

/** A process that never ran has no output to be missing. */
const damageUnlessNew = (record: ProcessRecord, missing: Refusal): ProcessChange =>
  record.lifecycle.kind === 'starting' ? {} : { damage: missing.why };
