/** What the runtime reports about itself. It never logs: the host decides what happens with these events. */
import type { BrowserId, NoticeId, ProcessId, SessionId, TurnId } from '../contract/ids.js';
import type { TurnEnd } from '../contract/journal.js';
import type { NoticeKind, NoticeState } from '../contract/notice.js';
import type { End } from '../contract/process.js';
import type { PushFate } from '../ports/push.js';

export type RuntimeEvent =
  | { readonly kind: 'processStarted'; readonly process: ProcessId; readonly place: string; readonly tookMs: number }
  | { readonly kind: 'startRefused'; readonly why: string }
  | { readonly kind: 'processEnded'; readonly process: ProcessId; readonly end: End; readonly afterMs: number }
  | { readonly kind: 'stopAsked'; readonly process: ProcessId; readonly by: string; readonly signal: string }
  | { readonly kind: 'survivorsLeft'; readonly process: ProcessId; readonly pids: readonly number[] }
  | { readonly kind: 'outputReleased'; readonly process: ProcessId; readonly bytes: number }
  | { readonly kind: 'outputNotReleasable'; readonly process: ProcessId }
  | { readonly kind: 'outputDamaged'; readonly process: ProcessId; readonly why: string }
  | { readonly kind: 'recovered'; readonly running: number; readonly ended: number; readonly tookMs: number }
  | { readonly kind: 'strangerFolder'; readonly process: ProcessId }
  | { readonly kind: 'forgotten'; readonly count: number }
  | {
      readonly kind: 'noticeAdmitted';
      readonly notice: NoticeId;
      readonly of: NoticeKind;
      readonly session: SessionId;
    }
  | { readonly kind: 'noticeSettled'; readonly notice: NoticeId; readonly state: NoticeState }
  | { readonly kind: 'turnBegan'; readonly session: SessionId; readonly turn: TurnId; readonly model: string }
  | { readonly kind: 'turnEnded'; readonly session: SessionId; readonly turn: TurnId; readonly reason: TurnEnd }
  /** A turn that the last host left. */
  | { readonly kind: 'turnFound'; readonly session: SessionId; readonly verdict: string; readonly why: string }
  | { readonly kind: 'noticeCarried'; readonly notice: NoticeId; readonly outcome: 'accepted' | 'refused' }
  | {
      readonly kind: 'pushed';
      readonly browser: BrowserId;
      readonly outcome: PushFate['kind'];
      readonly why?: string;
    }
  | { readonly kind: 'mcpServerAbsent'; readonly server: string; readonly why: string }
  /** A request that its sender cut off, or a connection that made room for another. */
  | { readonly kind: 'turnedAway'; readonly why: 'cutOff' | 'crowdedOut' }
  /** How many of them there were in the last minute. */
  | { readonly kind: 'turnedAwayLately'; readonly cutOff: number; readonly crowdedOut: number }
  | { readonly kind: 'fault'; readonly during: string; readonly error: unknown };

export type Tell = (event: RuntimeEvent) => void;
