import { beforeAll, describe, expect, test } from 'vitest';
import type { OutputMatch } from '../../src/contract/output.js';
import { startHost, type TestHost } from '../support/host.js';

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ config: { output: { quotaBytes: 2_000_000 } } });
});

/** What a command writes, once it has ended. */
async function outputOf(command: string): Promise<string> {
  const { id } = (await host.client.start({ command })).process;
  await host.client.wait(id, 120_000);
  return id;
}

/** Goes on until all was looked at. */
async function found(id: string, text: string, limit?: number) {
  const matches: OutputMatch[] = [];
  let requests = 0;
  let from: { offset?: number; line?: number } = {};
  for (;;) {
    const answer = await host.client.searchOutput(id, text, { ...from, ...(limit && { limit }) });
    matches.push(...answer.matches);
    requests++;
    if (answer.next === undefined) return { matches, requests };
    from = { offset: answer.next, line: answer.nextLine ?? 0 };
  }
}

describe('words in output', () => {
  test('L9 are found in either case, literally, with their line and where it begins', async () => {
    const id = await outputOf(`printf 'one\\nAn Error (x.*)\\nthree\\nerror again'`);
    expect(await host.client.searchOutput(id, 'error')).toEqual({
      matches: [
        { offset: 4, line: 1, text: 'An Error (x.*)' },
        { offset: 25, line: 3, text: 'error again' },
      ],
      size: 36,
    });
    expect((await found(id, '(X.*)')).matches).toMatchObject([{ line: 1 }]);
    expect((await found(id, 'x.')).matches).toHaveLength(1);
    expect((await found(id, 'xx')).matches).toEqual([]);
  });

  test('W7 are found between colours, and are shown without them', async () => {
    const id = await outputOf(`printf 'a\\n\\033[31mER\\033[0mR\\033]0;title\\007OR\\033[0m here\\n'`);
    expect((await found(id, 'error here')).matches).toEqual([{ offset: 2, line: 1, text: 'ERROR here' }]);
  });

  test('are found once a line, wherever a read or a request cuts it, in one line of megabytes too', async () => {
    const id = await outputOf(
      `yes 'nothing to see' | head -n 30000; echo NEEDLE; yes x | tr -d '\\n' | head -c 900000; echo needle; echo needle`,
    );
    const { matches } = await found(id, 'needle', 1);
    expect(matches.map(({ line }) => line)).toEqual([30_000, 30_001, 30_002]);
    expect(matches[0]?.offset).toBe(30_000 * 15);
    expect(matches[1]?.text).toMatch(/^x+needle$/);
    expect(matches[1]?.text.length).toBeLessThanOrEqual(400);
  });

  test('P17 are looked for over the hole that the quota made, and a line does not go on behind it', async () => {
    const id = await outputOf(`echo needle; seq 3000000; echo needle`);
    const { process } = await host.client.process(id);
    expect(process.releasedBytes).toBeGreaterThan(0);
    const { matches } = await found(id, 'needle');
    expect(matches.map(({ offset }) => offset)).toEqual([0, process.outputBytes - 'needle\n'.length]);
  });

  test('P20 do not show a secret, nor say that it is there', async () => {
    const id = await outputOf('echo "password=hunter2hunter2 for deploy"');
    expect((await found(id, 'deploy')).matches).toMatchObject([{ text: 'password=[redacted] for deploy' }]);
    expect((await found(id, 'hunter2')).matches).toEqual([]);
  });

  test('are refused when there is nothing to look for', async () => {
    const id = await outputOf('echo a');
    for (const text of ['', '\u200b']) await expect(found(id, text)).rejects.toMatchObject({ word: 'invalid' });
  });
});

test('L9 finds words in 100 MB with colours, a bounded piece a request', { timeout: 300_000 }, async () => {
  const large = await startHost({ config: { output: { quotaBytes: 200_000_000 } } });
  const line = `\\033[32mok\\033[0m ${'word '.repeat(16)}`;
  const { id } = (
    await large.client.start({ command: `yes "$(printf '${line}')" | head -c 100000000; echo; echo the end` })
  ).process;
  await large.client.wait(id, 120_000);
  let requests = 0;
  let next: number | undefined = 0;
  const matches: OutputMatch[] = [];
  while (next !== undefined) {
    const answer = await large.client.searchOutput(id, 'THE END', { offset: next });
    matches.push(...answer.matches);
    next = answer.next;
    requests++;
  }
  expect(matches.map(({ text }) => text)).toEqual(['the end']);
  expect(requests).toBeGreaterThanOrEqual(12);
});
