/** How much of everything. */
export type Plan = {
  readonly exitRounds: number;
  readonly singleExits: number;
  readonly crowd: number;
  readonly captureRounds: number;
  readonly redirectRounds: number;
  readonly redirectBytes: number;
  readonly captureBytes: number;
  readonly startRounds: number;
  readonly settleMs: number;
  readonly idleMs: number;
  readonly recoveries: number;
  readonly kills: number;
  readonly largeStarts: number;
  readonly matchBytes: number;
  readonly matchRounds: number;
  readonly deliveries: number;
  readonly settledNotices: number;
  readonly wakes: number;
  readonly idleSessions: number;
  readonly streamDeltas: number;
  readonly streamRounds: number;
  readonly journalEntries: number;
  readonly journalRounds: number;
  readonly paints: number;
  readonly shownEntries: number;
  readonly firstPaints: number;
  readonly streams: number;
  readonly streamedTurns: number;
  readonly streamedMs: number;
};

export const full: Plan = {
  exitRounds: 4,
  singleExits: 200,
  crowd: 200,
  captureRounds: 6,
  redirectRounds: 30,
  redirectBytes: 250_000_000,
  captureBytes: 1_000_000_000,
  startRounds: 3,
  settleMs: 60_000,
  idleMs: 30_000,
  recoveries: 5,
  kills: 1_000,
  largeStarts: 50,
  matchBytes: 1_000_000_000,
  matchRounds: 3,
  deliveries: 200,
  settledNotices: 100_000,
  wakes: 100,
  idleSessions: 1_000,
  streamDeltas: 2_000,
  streamRounds: 5,
  journalEntries: 100_000,
  journalRounds: 30,
  paints: 100,
  shownEntries: 10_000,
  firstPaints: 10,
  streams: 500,
  streamedTurns: 20,
  streamedMs: 10_000,
};

export const quick: Plan = {
  exitRounds: 1,
  singleExits: 20,
  crowd: 20,
  captureRounds: 1,
  redirectRounds: 2,
  redirectBytes: 50_000_000,
  captureBytes: 50_000_000,
  startRounds: 1,
  settleMs: 1_000,
  idleMs: 1_000,
  recoveries: 1,
  kills: 100,
  largeStarts: 5,
  matchBytes: 50_000_000,
  matchRounds: 1,
  deliveries: 20,
  settledNotices: 1_000,
  wakes: 10,
  idleSessions: 100,
  streamDeltas: 500,
  streamRounds: 1,
  journalEntries: 10_000,
  journalRounds: 5,
  paints: 10,
  shownEntries: 1_000,
  firstPaints: 2,
  streams: 50,
  streamedTurns: 5,
  streamedMs: 2_000,
};
