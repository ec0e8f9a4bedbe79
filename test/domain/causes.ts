/** Facts to try the words with. */
import { NoticeId, ProcessId, SessionId } from '../../src/contract/ids.js';
import type { Cause, NoticeKind } from '../../src/contract/notice.js';

export const noticeId = NoticeId.parse('ntc_000000000001');
export const processId = ProcessId.parse('proc_00000000000a');
export const sessionId = SessionId.parse('ses_00000000000b');

type CauseOf<Kind extends NoticeKind> = Extract<Cause, { kind: Kind }>;

export const completion = (given: Partial<CauseOf<'completion'>> = {}): CauseOf<'completion'> => ({
  kind: 'completion',
  process: processId,
  command: 'make test',
  end: { kind: 'exited', code: 3 },
  startedAt: 1_000,
  endedAt: 126_000,
  heldBack: 0,
  output: { text: 'not ok', cut: false, lines: 1 },
  ...given,
});

export const match = (given: Partial<CauseOf<'watch_match'>> = {}): CauseOf<'watch_match'> => ({
  kind: 'watch_match',
  process: processId,
  command: './server',
  pattern: 'listening on',
  text: 'listening on :80',
  heldBack: 0,
  ...given,
});

/** The last one of a process. */
export const lastMatch = (given: Partial<CauseOf<'watch_match'>> = {}): CauseOf<'watch_match'> =>
  match({
    end: { kind: 'exited', code: 3 },
    startedAt: 1_000,
    endedAt: 126_000,
    output: { text: 'bye', cut: false, lines: 1 },
    ...given,
  });

export const disabled: Cause = {
  kind: 'watch_disabled',
  process: processId,
  command: './server',
  strikes: 3,
  heldBack: 12,
};

export const tripped: Cause = {
  kind: 'watch_overflow_tripped',
  process: processId,
  max: 15,
  windowMs: 10_000,
  silenceMs: 30_000,
};

export const released: Cause = { kind: 'watch_overflow_released', process: processId, heldBack: 1 };

export const message = (text: string): Cause => ({ kind: 'message', text, from: 'webhook' });

export const everyCause: readonly Cause[] = [
  completion(),
  match(),
  lastMatch(),
  disabled,
  tripped,
  released,
  message('deployed'),
];
