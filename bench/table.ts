/** One table for everything: a row a figure, a column a subject. */
export type Row = { readonly figure: string; readonly cells: ReadonlyMap<string, string> };
export type Verdict = { readonly claim: string; readonly ratio: string; readonly holds: boolean };

export function table(columns: readonly string[], absent: ReadonlySet<string>, rows: readonly Row[]): string {
  const grid = rows.map(({ figure, cells }) => [
    figure,
    ...columns.map((column) => cells.get(column) ?? (absent.has(column) ? 'not installed' : '–')),
  ]);
  return lines(['', ...columns], grid);
}

export const verdicts = (all: readonly Verdict[]): string =>
  lines(
    ['claim', 'measured', ''],
    all.map(({ claim, ratio, holds }) => [claim, ratio, holds ? 'ok' : 'FAILED']),
  );

function lines(head: readonly string[], grid: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...grid.map((row) => row[column]?.length ?? 0), 3));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...grid.map(line)].join('\n');
}
