/**
 * Turns a screen into rows.
 *
 *   1. A row keeps its key, whether its text is still streaming or stored.
 *   2. The result does not depend on how many pieces the entries arrived in: continuing from the rows of a prefix
 *      gives the rows of the whole.
 *   3. What belongs to an entry that is not loaded yet (a result, an answer, leading text) waits for it.
 */
import { shownWords, type Screen } from 'rouse/client/screen';
import type { TurnId } from 'rouse/contract/ids';
import type { EntryView } from 'rouse/contract/journal';
import type { QuestionState, Row, RowOf, ToolState, TurnState } from './row';

type Of<Kind extends EntryView['kind']> = Extract<EntryView, { kind: Kind }>;

/** Rows of stored entries, and what is needed to continue from them. */
export type Settled = {
  readonly entries: readonly EntryView[];
  readonly more: boolean;
  readonly rows: readonly Row[];
  /** The footer of the running turn. It comes last and is not yet among the rows. */
  readonly foot?: RowOf<'turn'>;
};

const nothing = (more: boolean): Settled => ({ entries: [], more, rows: [] });

/** All rows. Pass `settled` in the next call, so that only new entries are processed. */
export function rowsOf(screen: Screen, more: boolean, before?: Settled): { rows: readonly Row[]; settled: Settled } {
  const settled = settle(screen.entries, more, before);
  return { settled, rows: [...settled.rows, ...spoken(screen), ...(settled.foot ? [settled.foot] : [])] };
}

function settle(entries: readonly EntryView[], more: boolean, before?: Settled): Settled {
  if (before?.entries === entries && before.more === more) return before;
  const known = before && before.more === more && continues(entries, before.entries) ? before : nothing(more);
  const folding = new Folding(known, entries, more);
  for (let index = known.entries.length; index < entries.length; index++) folding.take(index);
  return folding.settled();
}

const continues = (entries: readonly EntryView[], known: readonly EntryView[]): boolean =>
  entries.length >= known.length && entries[0] === known[0] && entries[known.length - 1] === known.at(-1);

/** The streaming text of the running step, with the keys it will have as entries. */
function spoken(screen: Screen): readonly Row[] {
  const words = shownWords(screen);
  if (!words) return [];
  const { entries } = screen;
  const row = (kind: 'text' | 'reasoning'): readonly Row[] =>
    words[kind] === ''
      ? []
      : [{ kind, key: wordsKey(kind, entries, entries.length) ?? kind, text: words[kind], state: 'spoken' }];
  return [...row('reasoning'), ...row('text')];
}

/**
 * The key of a text is derived from the entry before it, which is known before the text has a number. Text follows the
 * reasoning of its own step, which may or may not be an entry yet, so the key uses the entry before the reasoning.
 */
function wordsKey(kind: 'text' | 'reasoning', entries: readonly EntryView[], index: number): string | undefined {
  let at = index - 1;
  if (kind === 'text') while (entries[at]?.kind === 'reasoning') at--;
  const before = entries[at];
  return before && `${kind} behind ${before.seq}`;
}

class Folding {
  readonly #rows: Row[];
  #foot: RowOf<'turn'> | undefined;

  constructor(
    known: Settled,
    readonly entries: readonly EntryView[],
    readonly more: boolean,
  ) {
    this.#rows = [...known.rows];
    this.#foot = known.foot;
  }

  settled(): Settled {
    return { entries: this.entries, more: this.more, rows: this.#rows, ...(this.#foot && { foot: this.#foot }) };
  }

  take(index: number): void {
    const entry = this.entries[index];
    if (!entry) return;
    if (entry.turn && entry.kind !== 'turnEnded') this.#within(entry.turn);
    switch (entry.kind) {
      case 'turnBegan':
        return this.#begin(entry);
      case 'turnEnded':
        return this.#end(entry);
      case 'text':
      case 'reasoning':
        return this.#say(entry, index);
      case 'toolResult':
        return this.#result(entry);
      case 'answer':
        return this.#answer(entry);
      case 'message':
      case 'toolCall':
      case 'wake':
      case 'question':
      case 'note':
      case 'compaction':
        this.#rows.push(rowOf(entry));
    }
  }

  /** The loaded entries may begin in the middle of a turn. */
  #within(turn: TurnId): void {
    if (this.#foot || this.#rows.some((row) => row.kind === 'turn')) return;
    this.#foot = { kind: 'turn', key: turn, turn, state: { kind: 'running' } };
  }

  #begin({ turn, by, model, at }: Of<'turnBegan'>): void {
    if (!turn) return;
    if (this.#foot && this.#foot.turn !== turn) this.#close({ kind: 'cutOff' });
    this.#foot = { kind: 'turn', key: turn, turn, by, model, beganAt: at, state: { kind: 'running' } };
  }

  #end({ turn, at, reason, why, usage }: Of<'turnEnded'>): void {
    if (!turn || (this.#foot && this.#foot.turn !== turn)) return;
    const beganAt = this.#foot?.beganAt;
    this.#foot ??= { kind: 'turn', key: turn, turn, state: { kind: 'running' } };
    this.#close({
      kind: 'ended',
      reason,
      ...(why !== undefined && { why }),
      ...(usage && { usage }),
      ...(beganAt && { ms: Date.parse(at) - Date.parse(beganAt) }),
    });
  }

  /** Closes everything that is still open in a turn that is over. */
  #close(state: TurnState): void {
    if (!this.#foot) return;
    const first = this.#rows.findLastIndex((row) => row.kind === 'turn') + 1;
    for (let at = first; at < this.#rows.length; at++) {
      const row = this.#rows[at];
      if (row?.kind === 'tool' && row.state.kind === 'running') this.#rows[at] = { ...row, state: { kind: 'unknown' } };
      if (row?.kind === 'question' && row.state.kind === 'open') this.#rows[at] = { ...row, state: { kind: 'over' } };
    }
    this.#rows.push({ ...this.#foot, state });
    this.#foot = undefined;
  }

  #say(entry: Of<'text' | 'reasoning'>, index: number): void {
    const { kind, text } = entry;
    const key = wordsKey(kind, this.entries, index) ?? (this.more ? undefined : `${kind} first`);
    if (text === '' || (kind === 'text' && entry.silent)) return;
    if (key) this.#rows.push({ kind, key, text, state: 'written' });
  }

  #result(entry: Of<'toolResult'>): void {
    const at = this.#rows.findLastIndex(
      (row) => row.kind === 'tool' && row.call === entry.call && !('result' in row.state),
    );
    const row = this.#rows[at];
    if (row?.kind === 'tool') this.#rows[at] = { ...row, state: resultOf(entry, row.at) };
  }

  #answer({ question, text, by }: Of<'answer'>): void {
    const at = this.#rows.findLastIndex((row) => row.kind === 'question' && row.entry.question === question);
    const row = this.#rows[at];
    const state: QuestionState = by === 'timeout' ? { kind: 'timedOut' } : { kind: 'answered', text };
    if (row?.kind === 'question') this.#rows[at] = { ...row, state };
  }
}

const resultOf = ({ at, result, failed, process }: Of<'toolResult'>, calledAt: string): ToolState => ({
  kind: failed ? 'failed' : 'done',
  result,
  ms: Date.parse(at) - Date.parse(calledAt),
  ...(process && { process }),
});

function rowOf(entry: Of<'message' | 'toolCall' | 'wake' | 'question' | 'note' | 'compaction'>): Row {
  const key = String(entry.seq);
  switch (entry.kind) {
    case 'message':
      return { kind: 'message', key, entry };
    case 'wake':
      return { kind: 'wake', key, entry };
    case 'question':
      return { kind: 'question', key, entry, state: { kind: 'open' } };
    case 'toolCall': {
      const { tool, input, at, call } = entry;
      return { kind: 'tool', key, tool, input, at, call, state: { kind: 'running' } };
    }
    case 'note':
      return { kind: 'note', key, about: entry.about, text: entry.text, at: entry.at };
    case 'compaction':
      return { kind: 'compaction', key, summary: entry.summary };
  }
}
