/**
 * The life of a process.
 *
 *   starting ──launched──▶ running ──exited──▶ ended { exited | signalled }
 *      │                      │
 *      ├──notStarted──────────┼──▶ ended { lost }
 *      └──exited (too fast    └──vanished──▶ ended { lost }
 *         to be seen running)
 *
 *   1. There is one end; what comes after it changes nothing.
 *   2. A stop request that comes before the process has a pid is kept, and performed when it has one.
 *   3. The end names the first who asked for it; only SIGKILL overtakes a gentler request.
 *   4. Every effect may be performed twice without harm.
 */
import type { End, Signal } from '../../contract/process.js';

/** Milliseconds since 1970. */
export type Instant = number;

/** A pid, distinguished from a later one with the same number by its start time and boot. */
export type Identity = { readonly pid: number; readonly startTime: string; readonly boot: string };

/** The shim, and the command it runs, as the place knows them. */
export type Owned = { readonly shim: Identity; readonly command: Identity };

export type Stop = {
  readonly by: string;
  readonly signal: Signal;
  readonly askedAt: Instant;
  readonly forced: boolean;
};

export type Lifecycle =
  | { readonly kind: 'starting'; readonly stop?: Stop }
  | { readonly kind: 'running'; readonly owned: Owned; readonly stop?: Stop }
  | {
      readonly kind: 'ended';
      readonly end: End;
      readonly endedAt: Instant;
      readonly owned?: Owned;
      readonly stop?: Stop;
    };

export type Ended = Extract<Lifecycle, { kind: 'ended' }>;

/** What the shim wrote when the command ended. */
export type ExitRecord =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string };

export type Input =
  | { readonly kind: 'launched'; readonly owned: Owned }
  | { readonly kind: 'notStarted'; readonly why: string }
  | { readonly kind: 'exited'; readonly record: ExitRecord; readonly at: Instant; readonly owned?: Owned }
  | { readonly kind: 'vanished'; readonly why: string }
  | { readonly kind: 'stopAsked'; readonly by: string; readonly signal: Signal }
  | { readonly kind: 'graceOver' };

export type Effect =
  /** End the whole tree: the stop's signal first, SIGKILL after the grace period. */
  | { readonly kind: 'terminate' }
  /** Notify everything that waits for the end. */
  | { readonly kind: 'announceEnd' };

/** A time that a command could have set, limited to what is possible. */
export const endedWithin = (at: Instant, startedAt: Instant, now: Instant): Instant =>
  Math.round(Math.max(startedAt, Math.min(Number.isFinite(at) ? at : now, now)));

export type Step = { readonly state: Lifecycle; readonly effects: readonly Effect[] };

export function step(state: Lifecycle, input: Input, now: Instant): Step {
  if (state.kind === 'ended') return unchanged(state);
  switch (input.kind) {
    case 'launched':
      return launched(state, input.owned);
    case 'notStarted':
    case 'vanished':
      return ended(state, { kind: 'lost', why: input.why }, now);
    case 'exited':
      return exited(state, input);
    case 'stopAsked':
      return stopAsked(state, input.by, input.signal, now);
    case 'graceOver':
      return graceOver(state);
  }
}

type Unfinished = Exclude<Lifecycle, { kind: 'ended' }>;

const unchanged = (state: Lifecycle): Step => ({ state, effects: [] });

function launched(state: Unfinished, owned: Owned): Step {
  if (state.kind === 'running') return unchanged(state);
  const { stop } = state;
  return stop
    ? { state: { kind: 'running', owned, stop }, effects: [{ kind: 'terminate' }] }
    : { state: { kind: 'running', owned }, effects: [] };
}

function exited(state: Unfinished, input: Extract<Input, { kind: 'exited' }>): Step {
  const known: Unfinished =
    state.kind === 'starting' && input.owned ? { ...state, kind: 'running', owned: input.owned } : state;
  return ended(known, attributed(input.record, state.stop), input.at);
}

/** A signal that we sent is reported with the name of who asked for it. */
function attributed(record: ExitRecord, stop: Stop | undefined): End {
  if (record.kind === 'exited' || !stop) return record;
  const ours = record.signal === stop.signal || (stop.forced && record.signal === 'SIGKILL');
  return ours ? { ...record, by: stop.by } : record;
}

function ended(state: Unfinished, end: End, endedAt: Instant): Step {
  const owned = state.kind === 'running' ? { owned: state.owned } : {};
  const stop = state.stop ? { stop: state.stop } : {};
  return { state: { kind: 'ended', end, endedAt, ...owned, ...stop }, effects: [{ kind: 'announceEnd' }] };
}

/** Whether a request to stop changes anything after an earlier one: only SIGKILL overtakes a gentler signal. */
export const overtakes = (signal: Signal, earlier: Signal | undefined): boolean =>
  earlier === undefined || (signal === 'SIGKILL' && earlier !== 'SIGKILL');

function stopAsked(state: Unfinished, by: string, signal: Signal, now: Instant): Step {
  if (!overtakes(signal, state.stop?.signal)) return unchanged(state);
  const stop: Stop = { by, signal, askedAt: now, forced: signal === 'SIGKILL' };
  return { state: { ...state, stop }, effects: state.kind === 'running' ? [{ kind: 'terminate' }] : [] };
}

function graceOver(state: Unfinished): Step {
  return state.stop && !state.stop.forced
    ? { state: { ...state, stop: { ...state.stop, forced: true } }, effects: [] }
    : unchanged(state);
}
