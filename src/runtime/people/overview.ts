/**
 * Processes and sessions as they are now, told when they have changed.
 *
 *   1. It is advice, and bears no number: whoever begins to listen reads the lists then, and hears of what comes after.
 *   2. What changes within a moment is told once, as it is at the end of it, and is looked at once for all who listen.
 *   3. Whoever missed something asks for it by its name and is told alone.
 */
import type { Clock } from '../../ports/clock.js';
import type { ProcessId, SessionId } from '../../contract/ids.js';
import type { ProcessView } from '../../contract/process.js';
import type { SessionView } from '../../contract/session.js';
import type { Store } from '../../ports/store.js';
import { Alarms } from '../alarms.js';
import type { News } from '../listeners.js';
import type { Sessions } from '../session/sessions.js';
import type { Supervisor } from '../process/supervisor.js';
import type { Views } from '../process/view.js';
import { Wakes } from '../wakes.js';

export type Subject =
  | { readonly of: 'process'; readonly id: ProcessId; readonly session?: SessionId | undefined }
  | { readonly of: 'session'; readonly id: SessionId };

export type Seen =
  | { readonly kind: 'process'; readonly process: ProcessView }
  | { readonly kind: 'session'; readonly session: SessionView }
  | { readonly kind: 'forgotten'; readonly process: ProcessId };

/** What is told, and to whom. */
export type Told<Listener> = {
  readonly subject: Subject;
  readonly seen: Seen;
  readonly to: 'all' | ReadonlySet<Listener>;
};

export interface Audience<Listener> {
  /** While nobody is there, nothing is looked at. */
  readonly isThere: boolean;
  tell(told: readonly Told<Listener>[]): void;
}

export type OverviewParts = {
  readonly store: Store;
  readonly supervisor: Supervisor;
  readonly sessions: Sessions;
  readonly views: Views;
  readonly news: News;
  readonly clock: Clock;
  readonly fault: (during: string, error: unknown) => void;
};

type Due<Listener> = { readonly subject: Subject; readonly to: 'all' | Set<Listener> };

const MOMENT_MS = 50;

export class Overview<Listener> implements Disposable {
  #due = new Map<string, Due<Listener>>();
  readonly #alarms: Alarms<'look'>;
  readonly #looks: Wakes<'all'>;
  readonly #listening: readonly Disposable[];

  constructor(
    readonly parts: OverviewParts,
    readonly audience: () => Audience<Listener>,
  ) {
    const { news, supervisor, clock, fault } = parts;
    this.#alarms = new Alarms(clock);
    this.#looks = new Wakes(
      () => this.#look(),
      (error) => fault('looking at what has changed', error),
    );
    this.#listening = [
      news.listen((id) => this.#changed({ of: 'session', id })),
      supervisor.listen((id, session) => {
        this.#changed({ of: 'process', id, session });
        if (session) this.#changed({ of: 'session', id: session });
      }),
    ];
  }

  /** Tells one listener what it has missed. */
  wish(listener: Listener, subjects: Iterable<Subject>): void {
    for (const subject of subjects) {
      const { to } = this.#due.get(subject.id) ?? { to: new Set<Listener>() };
      this.#due.set(subject.id, { subject, to: to === 'all' ? to : to.add(listener) });
      this.#lookSoon();
    }
  }

  [Symbol.dispose](): void {
    this.#alarms.stop();
    for (const listening of this.#listening) listening[Symbol.dispose]();
  }

  #changed(subject: Subject): void {
    if (!this.audience().isThere) return;
    this.#due.set(subject.id, { subject, to: 'all' });
    this.#lookSoon();
  }

  #lookSoon(): void {
    if (!this.#alarms.has('look')) this.#alarms.set('look', MOMENT_MS, () => void this.#looks.wake('all'));
  }

  async #look(): Promise<void> {
    const due = [...this.#due.values()];
    this.#due = new Map();
    const seen = await Promise.all(due.map(({ subject }) => this.#see(subject)));
    this.audience().tell(due.flatMap((one, index) => (seen[index] ? [{ ...one, seen: seen[index] }] : [])));
  }

  /** One that cannot be looked at must not keep the others from being told. */
  async #see(subject: Subject): Promise<Seen | undefined> {
    try {
      return await (subject.of === 'session' ? this.#session(subject.id) : this.#process(subject.id));
    } catch (error) {
      this.parts.fault(`looking at ${subject.id}`, error);
      return undefined;
    }
  }

  async #session(id: SessionId): Promise<Seen | undefined> {
    const record = await this.parts.store.sessions.get(id);
    return record && { kind: 'session', session: await this.parts.sessions.view(record) };
  }

  async #process(id: ProcessId): Promise<Seen> {
    const record = await this.parts.supervisor.get(id);
    return record
      ? { kind: 'process', process: await this.parts.views.of(record) }
      : { kind: 'forgotten', process: id };
  }
}
