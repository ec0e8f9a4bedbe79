/** What becomes of lines that matched: decided, stored with the process's watch and the breaker, and owed. */
import type { Alarm, Clock } from '../clock.js';
import type { ProcessId, SessionId } from '../contract/ids.js';
import type { Cause } from '../contract/notice.js';
import { closed, step, type Breaker, type Tripper } from '../domain/breaker.js';
import { decide, type Told, type WatchingFigures } from '../domain/overflow.js';
import type { Redactor } from '../domain/redaction.js';
import { watching } from '../domain/watch.js';
import type { ProcessRecord, Store, Transaction } from '../store.js';
import type { Tell } from './events.js';
import type { Ledger } from './ledger.js';
import type { NewNotice, Notices } from './notices.js';
import type { Read } from './watching.js';

/** Under which name the breaker's state is kept. */
const BREAKER = 'breaker';
/** So long after the store failed us. */
const RETRY_MS = 1_000;

export class Matches {
  #breaker: Breaker = closed;
  #last: Promise<unknown> = Promise.resolve();
  #alarm: Alarm | undefined;
  #stopped = false;

  constructor(
    readonly store: Store,
    readonly ledger: () => Ledger,
    readonly notices: Notices,
    readonly redactor: Redactor,
    readonly clock: Clock,
    readonly figures: WatchingFigures,
    readonly tell: Tell,
  ) {}

  /** Takes up the silence that the last host left, and ends it if its time is up. */
  async recover(): Promise<void> {
    this.#breaker = ((await this.store.kept.get(BREAKER)) as Breaker | undefined) ?? closed;
    await this.#tick();
  }

  /** Stored in the process's own turn: once its end is stored, nothing of this is. */
  report(id: ProcessId, read: Read): Promise<void> {
    return this.#inOrder(() =>
      this.ledger().change(id, (record) => {
        const { session } = record;
        return session && this.#decided({ ...record, session }, read);
      }),
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#alarm?.clear();
    await this.#last;
  }

  #decided(record: ProcessRecord & { readonly session: SessionId }, { found, mark }: Read) {
    const before = { watch: record.watch?.state ?? watching, breaker: this.#breaker };
    const who = { session: record.session, process: record.id, number: found?.match.number ?? 0 };
    const now = this.clock.now();
    const { watch, breaker, told } = found ? decide(before, found, who, now, this.figures) : { ...before, told: [] };
    const promoted = told.some(({ kind }) => kind === 'disabled');
    return {
      change: {
        watch: { state: watch, mark },
        ...(promoted && { notifyOnComplete: true }),
      },
      owes: told.map((fact) => this.#noticeOf(record, fact)),
      also: (transaction: Transaction) => this.#keep(transaction, breaker),
      // A count can be read again from the output; what is owed must not depend on that.
      durability: told.length > 0 ? ('power cut' as const) : ('crash' as const),
      stored: () => this.#remember(breaker),
    };
  }

  async #keep(transaction: Transaction, breaker: Breaker): Promise<void> {
    if (breaker !== this.#breaker) await transaction.kept.put(BREAKER, breaker);
  }

  #remember(breaker: Breaker, soonestMs = 0): void {
    this.#breaker = breaker;
    this.#alarm?.clear();
    if (breaker.kind !== 'silent' || this.#stopped) return;
    const leftMs = Math.min(breaker.until - this.clock.now(), this.figures.breaker.silenceMs);
    this.#alarm = this.clock.alarm(Math.max(soonestMs, leftMs), () => {
      this.#tick().catch((error: unknown) => {
        this.tell({ kind: 'fault', during: 'ending the silence of the breaker', error });
        this.#remember(this.#breaker, RETRY_MS);
      });
    });
  }

  #tick(): Promise<void> {
    return this.#inOrder(async () => {
      const { state, effects } = step(this.#breaker, { kind: 'tick' }, this.clock.now(), this.figures.breaker);
      const owed = effects.flatMap((effect) => (effect.kind === 'release' ? [released(effect)] : []));
      if (owed.length > 0) {
        const admitted = await this.store.transact(async (transaction) => {
          await this.#keep(transaction, state);
          return Promise.all(owed.map((notice) => this.notices.admit(transaction, notice)));
        });
        this.notices.announce(admitted);
      }
      this.#remember(state);
    });
  }

  #noticeOf(record: ProcessRecord & { readonly session: SessionId }, told: Told): NewNotice {
    const { redact } = this.redactor;
    const { id: process, session, command, name } = record;
    const about = { process, command, ...(name && { name }) };
    const { max, windowMs, silenceMs } = this.figures.breaker;
    switch (told.kind) {
      case 'match': {
        const { pattern, text, number } = told.match;
        const cause: Cause = {
          kind: 'watch_match',
          ...about,
          pattern: redact(pattern),
          text,
          heldBack: told.heldBack,
        };
        return { session, process, number, cause };
      }
      case 'disabled': {
        const { strikes, heldBack } = told;
        return { session, process, number: 0, cause: { kind: 'watch_disabled', ...about, strikes, heldBack } };
      }
      case 'tripped':
        return { ...told.by, cause: { kind: 'watch_overflow_tripped', process, max, windowMs, silenceMs } };
      case 'released':
        return released(told);
    }
  }

  #inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

const released = ({ by, heldBack }: { readonly by: Tripper; readonly heldBack: number }): NewNotice => ({
  ...by,
  cause: { kind: 'watch_overflow_released', process: by.process, heldBack },
});
