/**
 * Reports processes and sessions as they are now, when they have changed.
 *
 *   1. A report is a hint and has no number: a reader that connects reads the lists first, and then gets the reports.
 *   2. What changes several times within a moment is read and reported once, as it is at the end of the moment.
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
import { Drains } from '../drains.js';

export type Subject =
  | { readonly of: 'process'; readonly id: ProcessId; readonly session?: SessionId | undefined }
  | { readonly of: 'session'; readonly id: SessionId };

export type Seen =
  | { readonly kind: 'process'; readonly process: ProcessView }
  | { readonly kind: 'session'; readonly session: SessionView }
  | { readonly kind: 'forgotten'; readonly process: ProcessId };

export type Told = { readonly subject: Subject; readonly seen: Seen };

export interface Audience {
  /** Without an audience, nothing is read. */
  readonly isThere: boolean;
  tell(told: readonly Told[]): void;
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

const MOMENT_MS = 50;

export class Overview implements Disposable {
  #due = new Map<string, Subject>();
  readonly #alarms: Alarms<'look'>;
  readonly #looks: Drains<'all'>;
  readonly #listening: readonly Disposable[];

  constructor(
    readonly parts: OverviewParts,
    readonly audience: Audience,
  ) {
    const { news, supervisor, clock, fault } = parts;
    this.#alarms = new Alarms(clock);
    this.#looks = new Drains(
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

  [Symbol.dispose](): void {
    this.#alarms.stop();
    for (const listening of this.#listening) listening[Symbol.dispose]();
  }

  #changed(subject: Subject): void {
    if (!this.audience.isThere) return;
    this.#due.set(subject.id, subject);
    if (!this.#alarms.has('look')) this.#alarms.set('look', MOMENT_MS, () => void this.#looks.wake('all'));
  }

  async #look(): Promise<void> {
    const due = [...this.#due.values()];
    this.#due = new Map();
    const seen = await Promise.all(due.map((subject) => this.#see(subject)));
    this.audience.tell(due.flatMap((subject, index) => (seen[index] ? [{ subject, seen: seen[index] }] : [])));
  }

  /** A subject that cannot be read does not keep the others from being reported. */
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
