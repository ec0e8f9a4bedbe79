/** (f) Ten literals over log lines in a file: the time on a core, reading included, beside that of `grep -F -f`. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isRefusal } from '../src/contract/refusal.js';
import { beginning, LineScan } from '../src/domain/notice/line-scan.js';
import { compileWatch } from '../src/domain/notice/matcher.js';
import { median } from './numbers.js';
import type { Part } from './part.js';
import { atMost, ms, only } from './report.js';
import { inFolder } from './stage.js';

export const PATTERNS = [
  'ERROR',
  'panic:',
  'listening on',
  'Traceback',
  'FATAL',
  'Segmentation fault',
  'out of memory',
  'BUILD FAILED',
  'Connection refused',
  'npm ERR!',
];

type Matching = { readonly cpuMs: number; readonly lines: number };

export const matching: Part = {
  name: 'matching',
  measure: (_, { matchBytes, matchRounds }) =>
    inFolder(async (folder) => {
      const log = writeLog(join(folder, 'log'), matchBytes);
      const patterns = join(folder, 'patterns');
      writeFileSync(patterns, `${PATTERNS.join('\n')}\n`);
      const rounds = Array.from({ length: matchRounds }, () => ({ own: scan(log), grep: grep(log, patterns) }));
      const [own, theirs] = [median(rounds.map((r) => r.own.cpuMs)), median(rounds.map((r) => r.grep.cpuMs))];
      const wrong = rounds.filter((round) => round.own.lines !== round.grep.lines);
      return {
        rows: [
          only(`10 literals over ${matchBytes / 1e6} MB of lines, CPU`, ms(own)),
          only('… of grep -F -f on the same file', ms(theirs)),
        ],
        verdicts: [
          atMost('matching: CPU at most 3× that of grep -F', own, theirs, 3),
          {
            claim: 'matching: finds the lines that grep finds',
            ratio: `${rounds[0]?.own.lines} of ${rounds[0]?.grep.lines}`,
            holds: wrong.length === 0,
          },
        ],
      };
    }),
};

const READ_BYTES = 262_144;

function scan(path: string): Matching {
  const matcher = compileWatch(PATTERNS);
  if (isRefusal(matcher)) throw new Error(matcher.why);
  const before = process.cpuUsage();
  const lineScan = new LineScan(matcher, beginning, (text) => text);
  const [file, buffer] = [openSync(path, 'r'), Buffer.alloc(READ_BYTES)];
  let [offset, lines] = [0, 0];
  for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
    const found = lineScan.feed(buffer.subarray(0, read), offset);
    offset += read;
    lines += found ? 1 + found.more : 0;
  }
  closeSync(file);
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000, lines };
}

/** In the C locale, which is its fastest. */
export function grep(path: string, patterns: string): Matching {
  const script = 'TIMEFORMAT="%U %S"; time grep -F -c -f "$1" "$2"';
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', patterns, path], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(' ').map(Number);
  return { cpuMs: (user + system) * 1_000, lines: Number(stdout) };
}

const WORDS =
  'request completed user session opened closed connection returned rows index updated flushed started retrying'.split(
    ' ',
  );
const LINES_AT_ONCE = 5_000;

/** Lines as services write them, one in many thousand of which holds a pattern. The same every time. */
export function writeLog(path: string, bytes: number): string {
  const file = openSync(path, 'w');
  const below = dice();
  for (let written = 0; written < bytes;)
    written += writeSync(file, Array.from({ length: LINES_AT_ONCE }, () => logLine(below)).join(''));
  closeSync(file);
  return path;
}

function logLine(below: (limit: number) => number): string {
  const words = Array.from({ length: 4 + below(12) }, () => WORDS[below(WORDS.length)]).join(' ');
  const rare = below(50_000) === 0 ? ` ${PATTERNS[below(PATTERNS.length)]}` : '';
  const level = ['INFO', 'DEBUG', 'WARN', 'TRACE'][below(4)];
  return `2026-01-01T12:00:${10 + below(50)}.${100 + below(900)}Z ${level} [worker-${below(64)}] ${words}${rare} took=${below(900)}ms\n`;
}

function dice(): (limit: number) => number {
  let last = 12_345;
  return (limit) => {
    last = (Math.imul(last, 1_103_515_245) + 12_345) >>> 0;
    return (last >>> 8) % limit;
  };
}
