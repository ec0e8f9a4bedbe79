/** What goes along with a running process: the look at its output, its time limit, and its ending once asked for. */
import type { Alarm, Clock } from '../../ports/clock.js';
import type { ProcessId } from '../../contract/ids.js';
import { isRefusal } from '../../contract/refusal.js';
import type { Signal } from '../../contract/process.js';
import type { ExcerptLimits } from '../../domain/output/excerpt.js';
import type { Effect, Ended } from '../../domain/process/process.js';
import { nothingReleased, release, releasedBytes } from '../../domain/output/quota.js';
import type { Member } from '../../ports/place.js';
import { compileWatch } from '../../domain/notice/matcher.js';
import type { ProcessChange, ProcessRecord } from '../../ports/store.js';
import type { Tell } from '../events.js';
import { Growth } from '../output/growth.js';
import type { LastNotice } from './last-notice.js';
import type { Ledger, Owing } from './ledger.js';
import type { Places } from '../output/places.js';
import { Termination } from './termination.js';
import type { Watching } from '../notice/watching.js';

export type CompanionSettings = {
  readonly quotaBytes: number;
  readonly graceMs: number;
  /** How much of the output stands in the notice of the end. */
  readonly tail: ExcerptLimits;
};

type Ending = { readonly signal: Signal; readonly survivors: Promise<readonly Member[]> };

export class Companions {
  readonly #growths = new Map<ProcessId, Growth>();
  readonly #limits = new Map<ProcessId, Alarm>();
  readonly #endings = new Map<ProcessId, Ending>();
  readonly #termination: Termination;
  #stopped = false;

  constructor(
    readonly places: Places,
    readonly clock: Clock,
    readonly settings: CompanionSettings,
    readonly tell: Tell,
    readonly lastNotice: LastNotice,
    readonly watching: Watching,
    readonly ledger: () => Ledger,
    readonly lookAt: (id: ProcessId) => void,
  ) {
    this.#termination = new Termination(clock, settings.graceMs);
  }

  growth(id: ProcessId): Growth | undefined {
    return this.#growths.get(id);
  }

  /** The survivors of the ending that is under way; none when there is none. */
  async ending(id: ProcessId): Promise<readonly Member[]> {
    return (await this.#endings.get(id)?.survivors) ?? [];
  }

  /** For a process that is seen to run. Again for the same one: nothing. */
  takeUp(record: ProcessRecord): void {
    if (this.#stopped || this.#growths.has(record.id) || record.lifecycle.kind !== 'running') return;
    const { quotaBytes } = this.settings;
    const note = (id: ProcessId, change: ProcessChange) => this.ledger().note(id, change);
    const growth = new Growth(record.id, this.places.of(record), this.clock, quotaBytes, note, this.tell, record);
    this.#growths.set(record.id, growth);
    this.places.of(record).settle(record.id);
    growth.look();
    this.#watch(record, growth);
    if (record.timeoutMs) this.#limit(record, record.timeoutMs);
    if (record.lifecycle.stop) this.#terminate(record);
  }

  perform(record: ProcessRecord, effect: Effect): void {
    switch (effect.kind) {
      case 'terminate':
        return this.#terminate(record);
      case 'announceEnd':
        this.watching.stop(record.id);
        this.#growths.get(record.id)?.stop();
        this.#growths.delete(record.id);
        this.#limits.get(record.id)?.clear();
        this.#limits.delete(record.id);
        this.places.of(record).settle(record.id);
        return this.#releaseRest(record);
    }
  }

  /** With the end it is settled how much was written, or why nobody can say. */
  async settled(record: ProcessRecord, lifecycle: Ended): Promise<ProcessChange> {
    const place = this.places.of(record);
    const size = await place.outputSize(record.id);
    if (!isRefusal(size)) {
      const { quotaBytes } = this.settings;
      const over = release(size, record.released, quotaBytes);
      const releases = over !== record.released && (await place.canRelease());
      return releases ? { lifecycle, outputBytes: size, released: over } : { lifecycle, outputBytes: size };
    }
    const outputBytes = this.growth(record.id)?.size ?? 0;
    const neverRan = record.lifecycle.kind === 'starting';
    return neverRan || record.damage ? { lifecycle, outputBytes } : { lifecycle, outputBytes, damage: size.why };
  }

  owesFor(record: ProcessRecord, end: Ended, change: ProcessChange): Promise<Owing> {
    return this.lastNotice.of(record, end, change);
  }

  async checkOutputs(): Promise<void> {
    for (const growth of this.#growths.values()) await growth.check();
  }

  stop(): void {
    this.#stopped = true;
    for (const growth of this.#growths.values()) growth.stop();
  }

  #watch(record: ProcessRecord, growth: Growth): void {
    if (!record.session || record.watchPatterns.length === 0 || record.watch?.state.kind === 'ended') return;
    const matcher = compileWatch(record.watchPatterns);
    if (isRefusal(matcher))
      this.tell({ kind: 'fault', during: `watching ${record.id}`, error: new Error(matcher.why) });
    else {
      const released = () => this.ledger().get(record.id)?.released ?? nothingReleased;
      this.watching.takeUp(record, matcher, this.places.of(record), growth, released);
    }
  }

  /** What the last look found over the quota goes now that it is remembered as gone. */
  #releaseRest(record: ProcessRecord): void {
    const { id, released } = record;
    if (releasedBytes(released) === 0 || record.damage) return;
    this.places
      .of(record)
      .releaseOutput(id, released.from, released.to)
      .then((done) => done || this.tell({ kind: 'outputNotReleasable', process: id }))
      .catch((error: unknown) => this.tell({ kind: 'fault', during: `releasing output of ${id}`, error }));
  }

  #limit({ id, startedAt }: ProcessRecord, timeoutMs: number): void {
    // A clock that was set back must not prolong it.
    const leftMs = Math.min(timeoutMs, Math.max(0, startedAt + timeoutMs - this.clock.now()));
    const alarm = this.clock.alarm(leftMs, () => {
      if (this.#stopped) return;
      this.tell({ kind: 'stopAsked', process: id, by: 'limit', signal: 'SIGTERM' });
      this.ledger()
        .apply(id, { kind: 'stopAsked', by: `limit of ${timeoutMs} ms`, signal: 'SIGTERM' })
        .catch((error: unknown) => this.tell({ kind: 'fault', during: `ending ${id} at its limit`, error }));
    });
    this.#limits.set(id, alarm);
  }

  /** A second request changes nothing, unless it is the harder one. */
  #isUnderWay(id: ProcessId, signal: Signal): boolean {
    const ending = this.#endings.get(id);
    return ending !== undefined && (ending.signal === 'SIGKILL' || signal !== 'SIGKILL');
  }

  #terminate(record: ProcessRecord): void {
    const { id, lifecycle } = record;
    if (lifecycle.kind !== 'running' || !lifecycle.stop || this.#isUnderWay(id, lifecycle.stop.signal)) return;
    const forced = () => this.ledger().apply(id, { kind: 'graceOver' });
    const ending = this.#termination
      .end(this.places.of(record), id, lifecycle.owned, lifecycle.stop.signal, forced)
      .catch((error: unknown) => {
        this.tell({ kind: 'fault', during: `ending ${id}`, error });
        return [];
      })
      .then((survivors) => {
        if (survivors.length > 0)
          this.tell({ kind: 'survivorsLeft', process: id, pids: survivors.map((member) => member.identity.pid) });
        if (this.#endings.get(id)?.survivors === ending) this.#endings.delete(id);
        this.lookAt(id);
        return survivors;
      });
    this.#endings.set(id, { signal: lifecycle.stop.signal, survivors: ending });
  }
}
