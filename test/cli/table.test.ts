import pc from 'picocolors';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { table, type Column } from '../../src/cli/print/table.js';

type Row = { id: string; name: string; state: string; command: string };

const columns: readonly Column<Row>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name, most: 10, expendable: 1 },
  { title: 'STATE', of: ({ state }) => state, least: 6 },
  { title: 'COMMAND', of: ({ command }) => command, rest: true },
];
const rows: readonly Row[] = [
  { id: 'proc_aaaaaa', name: 'サーバー', state: 'waiting for input', command: 'npm run dev -- --port 3000 --host' },
  { id: 'proc_bbbbbb', name: '', state: 'exit 0', command: 'true' },
];
const colours = pc.createColors(false);
const drawn = (width?: number) => table(columns, rows, { width, colours });

test('never grows wider than the terminal', () => {
  for (let width = 20; width < 120; width++)
    for (const line of drawn(width).split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
});

test('cuts nothing where there is no terminal', () => {
  expect(drawn()).toContain('npm run dev -- --port 3000 --host');
});

test('keeps id and state when everything else has gone', () => {
  expect(drawn(20).split('\n')[2]).toBe('proc_bbbbbb  exit 0');
});

test('leaves out a column that nobody fills', () => {
  const nameless = rows.map((row) => ({ ...row, name: '' }));
  expect(table(columns, nameless, { colours })).not.toContain('NAME');
});
