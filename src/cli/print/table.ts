/** A table that fits the terminal, its colours, and text and ids that are short enough for it. */
import pc from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import stringWidth from 'string-width';
import { answer, answerJson, say, type Caller } from '../caller.js';

export type Column<Row> = {
  readonly title: string;
  readonly of: (row: Row) => string;
  readonly colour?: (row: Row) => 'green' | 'yellow' | 'red' | 'dim';
  /** No wider than this. */
  readonly most?: number;
  /** May be narrowed to this where there is little room; others go before the last column gets less. */
  readonly least?: number;
  /** May be left out where there is little room; 1 goes first. */
  readonly expendable?: number;
  /** Takes what the others leave. */
  readonly rest?: boolean;
};

const GAP = '  ';
/** Less room than this for the last column, and another column goes, unless it says otherwise itself. */
const WORTHWHILE = 16;

type Sized<Row> = Column<Row> & { width: number };

/** Without a width nothing is cut: a file or a pipe has room for everything. */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width = Infinity, colours }: { width?: number | undefined; colours: Colors },
): string {
  const filled = columns.filter(({ of }) => rows.some((row) => of(row) !== ''));
  const sized = fitted(
    filled.map((column) => ({ ...column, width: widthOf(column, rows) })),
    width,
  );
  const header = sized.map((column) => pad(fit(column.title, column.width), column.width)).join(GAP);
  const lines = rows.map((row) =>
    sized
      .map((column) => {
        const cell = pad(fit(column.of(row), column.width), column.width);
        return column.colour ? colours[column.colour(row)](cell) : cell;
      })
      .join(GAP)
      .trimEnd(),
  );
  return [colours.dim(header.trimEnd()), ...lines].join('\n');
}

const widthOf = <Row>({ title, of, most = Infinity }: Column<Row>, rows: readonly Row[]): number =>
  Math.min(
    most,
    rows.reduce((widest, row) => Math.max(widest, stringWidth(of(row))), title.length),
  );

/** Whole columns go first, then others are narrowed; the last column takes the rest, and goes when there is none. */
function fitted<Row>(columns: readonly Sized<Row>[], width: number): readonly Sized<Row>[] {
  let kept = columns;
  const fixed = () => kept.filter(({ rest }) => !rest).reduce((sum, column) => sum + column.width + GAP.length, 0);
  const worthwhile = columns.find(({ rest }) => rest)?.least ?? WORTHWHILE;
  const missing = () => worthwhile + fixed() - width;
  const expendable = columns.filter((column) => column.expendable !== undefined);
  for (const next of expendable.sort((one, other) => (one.expendable ?? 0) - (other.expendable ?? 0)))
    if (missing() > 0) kept = kept.filter((column) => column !== next);
  for (const column of kept)
    if (!column.rest && missing() > 0) column.width = Math.max(column.least ?? column.width, column.width - missing());
  const room = width - fixed();
  return kept
    .map((column) => (column.rest ? { ...column, width: Math.min(column.width, room) } : column))
    .filter((column) => column.width > 0);
}

/** Colours are for a terminal only, and not for one whose owner wants none. */
export const coloursOf = ({ stdout, env }: Pick<Caller, 'stdout' | 'env'>): Colors =>
  pc.createColors(!(env['NO_COLOR'] || !stdout.isTTY));

/** Prints rows: as JSON, as a table, or what to say where there are none. A file or a pipe has room for everything. */
export function printTable<Row>(
  caller: Caller,
  rows: readonly Row[],
  { json, columns, none }: { json: unknown; columns: readonly Column<Row>[]; none: string },
): void {
  const width = caller.stdout.isTTY ? caller.stdout.columns : undefined;
  if (json) answerJson(caller, json);
  else if (rows.length > 0) answer(caller, table(columns, rows, { width, colours: coloursOf(caller) }));
  else say(caller, none);
}

/** Behind the `proc_` of an id; enough for a person to tell two apart at a glance. */
const SIGNS = 6;

/** The shortest prefix of each id that no other has: its neighbours in the alphabet share the longest one. */
export function shortened(ids: readonly string[], signs = SIGNS): (id: string) => string {
  const sorted = [...new Set(ids)].sort();
  const lengths = new Map<string, number>(
    sorted.map((id, index) => [id, 1 + Math.max(common(id, sorted[index - 1]), common(id, sorted[index + 1]))]),
  );
  return (id) => id.slice(0, Math.max(id.indexOf('_') + 1 + signs, lengths.get(id) ?? id.length));
}

function common(one: string, other = ''): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** As much of the text as fits into so many columns, with an ellipsis where some is missing. */
export function fit(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let shown = '';
  let used = 1;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += stringWidth(segment);
    if (used > columns) break;
    shown += segment;
  }
  return columns > 0 ? `${shown}…` : '';
}

export const pad = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - stringWidth(text)));
