/** The rows of a conversation. */
import type { Question } from 'rouse/client/screen';
import type { ProcessId, TurnId } from 'rouse/contract/ids';
import type { EntryView, NoteAbout, TurnBy, TurnEnd, Usage } from 'rouse/contract/journal';

type Of<Kind extends EntryView['kind']> = Extract<EntryView, { kind: Kind }>;

/** `spoken` is text that is still streaming. It keeps its key, and so its place, when it becomes an entry. */
export type Words = {
  readonly kind: 'text' | 'reasoning';
  readonly key: string;
  readonly text: string;
  readonly state: 'spoken' | 'written';
};

export type ToolState =
  | { readonly kind: 'running' }
  | { readonly kind: 'done' | 'failed'; readonly result: string; readonly ms: number; readonly process?: ProcessId }
  /** The turn ended without a stored result. */
  | { readonly kind: 'unknown' };

export type QuestionState =
  | { readonly kind: 'open' }
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'timedOut' }
  /** The turn that asked is over. */
  | { readonly kind: 'over' };

export type TurnState =
  | { readonly kind: 'running' }
  | {
      readonly kind: 'ended';
      readonly reason: TurnEnd;
      readonly why?: string;
      readonly usage?: Usage;
      readonly ms?: number;
    }
  /** Another turn began, and the end of this one is missing. */
  | { readonly kind: 'cutOff' };

export type Row =
  | { readonly kind: 'message'; readonly key: string; readonly entry: Of<'message'> }
  | Words
  | {
      readonly kind: 'tool';
      readonly key: string;
      readonly tool: string;
      readonly input: unknown;
      readonly at: string;
      /** The model's id of the call. */
      readonly call: string;
      readonly state: ToolState;
    }
  | { readonly kind: 'wake'; readonly key: string; readonly entry: Of<'wake'> }
  | { readonly kind: 'question'; readonly key: string; readonly entry: Question; readonly state: QuestionState }
  | {
      readonly kind: 'note';
      readonly key: string;
      readonly about: NoteAbout;
      readonly text: string;
      readonly at: string;
    }
  | { readonly kind: 'compaction'; readonly key: string; readonly summary: string }
  /** The footer of a turn. It is there from the beginning, so that nothing moves when the turn ends. */
  | {
      readonly kind: 'turn';
      readonly key: string;
      readonly turn: TurnId;
      readonly by?: TurnBy;
      readonly model?: string;
      readonly beganAt?: string;
      readonly state: TurnState;
    };

export type RowOf<Kind extends Row['kind']> = Extract<Row, { kind: Kind }>;
