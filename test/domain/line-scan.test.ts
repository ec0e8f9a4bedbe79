import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/contract/refusal.js';
import { LineScan, beginning, type ScanMark } from '../../src/domain/notice/line-scan.js';
import { compileWatch, type Matcher } from '../../src/domain/notice/matcher.js';
import { stripAnsi } from '../../src/domain/output/text.js';
import type { Found } from '../../src/domain/notice/watch.js';

function compiled(patterns: readonly string[], pieceBytes?: number): Matcher {
  const matcher = compileWatch(patterns, pieceBytes);
  if (isRefusal(matcher)) throw new Error(matcher.why);
  return matcher;
}

const scan = (patterns: readonly string[], mark: ScanMark = beginning, pieceBytes?: number) =>
  new LineScan(compiled(patterns, pieceBytes), mark, (text) => text);

/** Feeds the reads one behind the other. */
function feedAll(lines: LineScan, reads: readonly (string | Buffer)[], from = 0): (Found | undefined)[] {
  let offset = from;
  return reads.map((read) => {
    const bytes = Buffer.from(read as string);
    offset += bytes.length;
    return lines.feed(bytes, offset - bytes.length);
  });
}

/** `last`: the text and the number of the last line, when there are more. */
const found = (
  pattern: string,
  text: string,
  number: number,
  more = 0,
  ...last: readonly (readonly [text: string, number: number])[]
): Found => ({
  match: { pattern, text, number },
  more,
  ...(last[0] && { last: { pattern, text: last[0][0], number: last[0][1] } }),
});

describe('the lines of an output', () => {
  test('W1 finds a line by its literal, with its text and the offset at which it begins', () => {
    expect(feedAll(scan(['ERROR']), ['fine\nan ERROR here\nerror\n'])).toEqual([found('ERROR', 'an ERROR here', 5)]);
  });

  test('W1 names the first pattern of the list, wherever in the line it stands', () => {
    const line = 'one two three four\n';
    expect(feedAll(scan(['three', 'one']), [line])).toEqual([found('three', line.trim(), 0)]);
    expect(feedAll(scan(['/tw./', 'one']), [line])).toEqual([found('/tw./', line.trim(), 0)]);
    expect(feedAll(scan(['one', '/tw./']), [line])).toEqual([found('one', line.trim(), 0)]);
    expect(feedAll(scan(['five', '/f..r/', 'one']), [line])).toEqual([found('/f..r/', line.trim(), 0)]);
  });

  test('W2 tells the first line of a read and counts the others', () => {
    expect(feedAll(scan(['E']), ['E1\nE2\nx\nE3\n', 'E4\n'])).toEqual([
      found('E', 'E1', 0, 2, ['E3', 8]),
      found('E', 'E4', 11),
    ]);
  });

  test('W7 finds a pattern that straddles reads, and a line end that does', () => {
    expect(feedAll(scan(['ERROR']), ['x\nER', 'RO', 'R\r', '\nERROR\r\n'])).toEqual([
      undefined,
      undefined,
      undefined,
      found('ERROR', 'ERROR', 2, 1, ['ERROR', 9]),
    ]);
    const reads = feedAll(scan(['ERROR']), ['ERROR\r', '\nERROR\r', 'ERROR\n']);
    expect(reads.map((read) => read?.match.number)).toEqual([undefined, 0, 7]);
    expect(reads.map((read) => read?.more)).toEqual([undefined, 0, 1]);
  });

  test('W7 takes each redraw of a progress bar for a line, and \\r\\n for one end', () => {
    expect(feedAll(scan(['50%']), ['40%\r50%\r60%\r\n'])).toEqual([found('50%', '50%', 4)]);
    expect(feedAll(scan(['/^$/']), ['a\r\nb\r\n\r\nc\n'])).toEqual([found('/^$/', '', 6)]);
  });

  test('W7 sees through terminal codes, also eight-bit ones and ones in the middle of the pattern', () => {
    const lines = ['\u001b[31mER\u001b[0mROR', '\u009b31mERR\u009b0mOR', '\u001b]0;title\u0007ERR\u001b[KOR'];
    for (const line of lines)
      for (const pattern of ['ERROR', '/^ERROR$/'])
        expect(feedAll(scan([pattern]), [`${'plain\n'.repeat(100)}${line}\nplain\n`])).toEqual([
          found(pattern, 'ERROR', 600),
        ]);
    expect(feedAll(scan(['ERROR']), ['\u001b]0;ERROR\u0007fine\n'])).toEqual([undefined]);
  });

  test('W7 is not disturbed by bytes that are no text', () => {
    const junk = Buffer.from([0xff, 0x00, 0xc2, 0x9b, 0xe2, 0x0a, 0x80, 0x45, 0x52, 0x52, 0x00, 0xfe, 0x0a]);
    expect(feedAll(scan(['ERR']), [junk])[0]?.match).toMatchObject({ pattern: 'ERR', number: 6 });
    expect(feedAll(scan(['/ERR/']), [junk])[0]?.match).toMatchObject({ pattern: '/ERR/', number: 6 });
    expect(feedAll(scan(['žluť']), ['ěě žluťoučký\n'])).toEqual([found('žluť', 'ěě žluťoučký', 0)]);
  });

  test('W1 shows no more than 2,000 characters, redacted before they are cut, with the pattern among them', () => {
    const secret = `${'x'.repeat(1_990)} password=hunter2hunter2 ERROR`;
    const lines = new LineScan(compiled(['ERROR']), beginning, (text) =>
      text.replaceAll('hunter2hunter2', '[redacted]'),
    );
    const text = lines.feed(Buffer.from(`${secret}${'y'.repeat(3_000)}\n`), 0)?.match.text ?? '';
    expect(text).toHaveLength(2_000);
    expect(text).toContain('password=[redacted] ERROR');
    const [early] = feedAll(scan(['ERROR']), [`ERROR ${'y'.repeat(3_000)}\n`]);
    expect(early?.match.text).toMatch(/^ERROR y{1993}…$/);
  });

  test('W7 finds the last line before it is whole, when asked, and then not again', () => {
    const lines = scan(['continue?']);
    expect(feedAll(lines, ['x\ncontinue?'])).toEqual([undefined]);
    expect(lines.partial()).toEqual(found('continue?', 'continue?', 2));
    expect(lines.partial()).toBeUndefined();
    expect(feedAll(lines, [' [y/n] ', 'continue? y\ncontinue?\n'], 11)).toEqual([
      undefined,
      found('continue?', 'continue?', 30),
    ]);
  });

  test('W9 goes on from its mark after a restart, and tells of no line again', () => {
    const before = scan(['continue?']);
    feedAll(before, ['x\ncontinue?']);
    before.partial();
    const mark = JSON.parse(JSON.stringify(before.mark)) as ScanMark;
    expect(mark).toEqual({ position: 2, line: 2, reported: true });
    expect(feedAll(scan(['continue?'], mark), ['continue? y\ncontinue?\n'], 2)).toEqual([
      found('continue?', 'continue?', 14),
    ]);
  });

  test('W7 begins a line where bytes were released in between', () => {
    const lines = scan(['ERROR']);
    expect(lines.feed(Buffer.from('ERR'), 0)).toBeUndefined();
    expect(lines.feed(Buffer.from('OR\nERROR\n'), 1_000)).toEqual(found('ERROR', 'ERROR', 1_003));
    expect(lines.mark).toEqual({ position: 1_009, line: 1_009, reported: false, skipped: 997 });
  });

  test('W7 finds a pattern anywhere in a line without an end, once, and keeps only a piece of it', () => {
    const lines = scan(['ERROR', 'late']);
    const piece = Buffer.alloc(100_000, 'x');
    let offset = 0;
    const reads = Array.from({ length: 20 }, (_, n) => {
      if (n % 5 === 4) piece.write('ERROR', 0);
      const found = lines.feed(piece, offset);
      offset += piece.length;
      return found?.match.number;
    });
    expect(reads.filter((number) => number !== undefined)).toEqual([0]);
    expect(offset - lines.mark.position).toBeLessThan(65_536);
    expect(lines.mark).toMatchObject({ line: 0, reported: true });
    expect(lines.feed(Buffer.from('late\nlate\n'), offset)).toEqual(found('late', 'late', offset + 5));
  });

  test('W7 decides what was kept of a line whose rest was released', () => {
    const lines = scan(['ERROR']);
    expect(lines.feed(Buffer.from('an ERROR her'), 0)).toBeUndefined();
    expect(lines.feed(Buffer.from('x\n'), 1_000)).toEqual(found('ERROR', 'an ERROR her', 0));
  });

  test('W6 W7 decides the last line as a whole one when the output ends, and counts what was never fed', () => {
    const lines = scan(['/up$/']);
    expect(feedAll(lines, ['x\nup'])).toEqual([undefined]);
    expect(lines.partial()).toBeUndefined();
    expect(lines.close(4)).toEqual(found('/up$/', 'up', 2));
    expect(lines.mark).toEqual({ position: 4, line: 4, reported: false });
    const torn = scan(['up']);
    expect(feedAll(torn, ['up'])).toEqual([undefined]);
    expect(torn.close(100)).toEqual(found('up', 'up', 0));
    expect(torn.mark).toEqual({ position: 100, line: 100, reported: false, skipped: 98 });
    const empty = scan(['/^$/']);
    expect(feedAll(empty, ['x\n'])).toEqual([undefined]);
    expect([empty.partial(), empty.close(2)]).toEqual([undefined, undefined]);
  });

  test('W7 matches ^ and $ only where the line really begins and ends, and word edges likewise', () => {
    const xs = 'x'.repeat(100_000);
    const middle = `${'x'.repeat(65_535)}a${xs}\n`;
    const tail = 65_536 - 1_024;
    const edge = `${'x'.repeat(tail)}foo${xs}\n`;
    const cases: readonly (readonly [pattern: string, text: string, matches: boolean])[] = [
      ['/a$/', middle, false],
      ['/a\\z/', middle, false],
      ['/a$/', `${xs}a\n`, true],
      ['/a[$]?$/', middle, false],
      ['/a|b$/', middle, true],
      ['/^foo/', edge, false],
      ['/\\Afoo/', edge, false],
      ['/\\bfoo/', edge, false],
      ['/xfoox/', edge, true],
      ['/\\bfoo\\b/', `${xs} foo ${xs}\n`, true],
      ['/^x+a?x+$/', `${'x'.repeat(65_536)}\n`, true],
    ];
    for (const [pattern, text, matches] of cases)
      for (const cut of [text.length, 1_000, 65_536]) {
        const reads = text.match(new RegExp(`[^]{1,${cut}}`, 'g')) ?? [];
        const hits = feedAll(scan([pattern]), reads).filter((read) => read !== undefined);
        expect([pattern, cut, hits.length]).toEqual([pattern, cut, Number(matches)]);
      }
  });

  test('W7 does not take a pause for the end of a line, nor for the edge of a word', () => {
    const cases: readonly (readonly [pattern: string, text: string, matches: boolean])[] = [
      ['/^up$/', 'up', false],
      ['/up\\b/', 'up', false],
      ['/\\bup/', 'up', true],
      ['/Password:\\B/', 'Password:', false],
      ['/\\bPassword:/', 'Password:', true],
      ['/\\bPassword: ?$/', 'Password: \r', true],
    ];
    for (const [pattern, text, matches] of cases) {
      const lines = scan([pattern]);
      feedAll(lines, [text]);
      expect([pattern, lines.partial() !== undefined]).toEqual([pattern, matches]);
    }
  });

  test('W8 is linear: a megabyte of a pattern that nearly matches everywhere, in lines and in one', () => {
    const nearly = [`${'a'.repeat(900)}b`, 'aaaaaaab', '/(a+)+b$/'];
    for (const pattern of nearly)
      for (const text of ['a'.repeat(1_048_576), `${'a'.repeat(120)}\n`.repeat(8_000), '\u001b'.repeat(100_000)])
        expect(scan([pattern]).feed(Buffer.from(text), 0)).toBeUndefined();
  });
});

type Told = readonly [pattern: string, number: number];

/** Every line one by one, so that none is only counted. */
function inReads(patterns: readonly string[], bytes: Uint8Array, cuts: readonly number[], pieceBytes?: number): Told[] {
  const told: Told[] = [];
  const lines = scan(patterns, beginning, pieceBytes);
  const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  let [from, total] = [0, 0];
  for (const end of ends) {
    const read = lines.feed(bytes.subarray(from, end), from);
    if (read) {
      told.push([read.match.pattern, read.match.number]);
      total += 1 + read.more;
    }
    from = end;
  }
  return [...told, ['total', total]];
}

/** Split, strip, look: as one would write it in a minute. */
function naively(patterns: readonly string[], bytes: Buffer): Told[] {
  const lines = [...bytes.toString('latin1').matchAll(/([^\r\n]*)(?:\r\n|\r(?!$)|\n)/g)];
  return lines.flatMap(([, line = ''], index): Told[] => {
    const raw = Buffer.from(line, 'latin1');
    const text = raw.toString();
    const visible = line.includes('\u001b') || line.includes('\u00c2\u009b') ? Buffer.from(stripAnsi(text)) : raw;
    const first = patterns.find((pattern) => visible.includes(pattern));
    return first === undefined ? [] : [[first, lines[index]?.index ?? 0]];
  });
}

describe('any output in any reads', () => {
  const atom = fc.constantFrom('a', 'a', 'b', 'ab', 'ě', '\n', '\r', '\r\n', '\u001b[1m', '\u009b0m', '\u0000');
  const junk = fc.constantFrom(0xff, 0xc2, 0x9b, 0xe2, 0x80);
  const output = fc
    .array(
      fc.oneof(
        { weight: 8, arbitrary: atom.map((text) => Buffer.from(text)) },
        junk.map((byte) => Buffer.of(byte)),
      ),
      {
        maxLength: 60,
        size: 'max',
      },
    )
    .map((parts) => Buffer.concat(parts));
  const literal = fc.string({ unit: fc.constantFrom('a', 'b', 'ě'), minLength: 1, maxLength: 5 });
  const patterns = fc.array(literal, { minLength: 1, maxLength: 4 });
  const cuts = fc.array(fc.nat(), { maxLength: 10 });
  const perByte = (bytes: Uint8Array) => Array.from(bytes, (_, at) => at);

  test('W1 W7 finds exactly the lines that splitting and looking finds', () => {
    fc.assert(
      fc.property(patterns, output, (patterns, output) => {
        const expected = naively(patterns, output);
        expect(inReads(patterns, output, []).at(-1)).toEqual(['total', expected.length]);
        expect(inReads(patterns, output, []).slice(0, -1)).toEqual(expected.slice(0, 1));
        expect(inReads(patterns, output, perByte(output))).toEqual([...expected, ['total', expected.length]]);
      }),
      { numRuns: 1_000 },
    );
  });

  test('W1 W7 finds the same lines by expressions as by the same literals', () => {
    fc.assert(
      fc.property(patterns, fc.nat(3), output, cuts, (patterns, literals, output, cuts) => {
        const mixed = patterns.map((pattern, index) => (index < literals ? pattern : `/${pattern}/`));
        const named = inReads(mixed, output, cuts).map(([name, number]) => [name.replaceAll('/', ''), number]);
        expect(named).toEqual(inReads(patterns, output, cuts));
      }),
      { numRuns: 1_000 },
    );
  });

  test('W7 finds the same lines however they are read, with lines longer than a piece too', () => {
    const some = fc.oneof(patterns, fc.constantFrom(['/a+b/', 'ba'], ['/^a/'], ['/a$/'], ['/^a|b$/'], ['/^ab*$/']));
    fc.assert(
      fc.property(some, output, cuts, fc.integer({ min: 6, max: 30 }), (patterns, output, cuts, pieceBytes) => {
        const bytewise = inReads(patterns, output, perByte(output), pieceBytes);
        const cut = inReads(patterns, output, cuts, pieceBytes);
        expect(cut.at(-1)).toEqual(bytewise.at(-1));
        for (const told of cut) expect(bytewise).toContainEqual(told);
      }),
      { numRuns: 1_000 },
    );
  });

  test('W9 finds each line once when it is asked and restarted from its mark between any two reads', () => {
    const plain = output.map((bytes) => bytes.map((byte) => (byte === 0x1b || byte === 0x9b ? 0x62 : byte)));
    fc.assert(
      fc.property(patterns, plain, cuts, (patterns, output, cuts) => {
        const matcher = compiled(patterns);
        const count = (read: Found | undefined) => (read ? 1 + read.more : 0);
        let mark = beginning;
        let lines = 0;
        for (const cut of [...cuts.map((cut) => cut % (output.length + 1)).sort((a, b) => a - b), output.length]) {
          const again = new LineScan(matcher, mark, (text) => text);
          lines += count(again.feed(output.subarray(mark.position, cut), mark.position)) + count(again.partial());
          mark = JSON.parse(JSON.stringify(again.mark)) as ScanMark;
        }
        const once = new LineScan(matcher, beginning, (text) => text);
        expect(lines).toBe(count(once.feed(output, 0)) + count(once.partial()));
      }),
      { numRuns: 1_000 },
    );
  });
});
