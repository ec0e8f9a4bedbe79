/** The first story of the README: an agent starts something long, and picks it up by itself. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EntryView } from '../../src/contract/journal.js';
import { newFolder } from '../support/clean-up.js';
import { newHome, startHost } from '../support/host.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';
import { begin, clientOf, endHost, rouse } from './rouse.js';

const STORY = 'run `sleep 1; echo built; exit 2` and tell me';

const newSession = async (home: string): Promise<string> =>
  (await rouse(home, ['sessions', 'new', 'Builds'])).stdout.trim();

const turnsEnded = (home: string, session: string, count: number): Promise<readonly EntryView[]> => {
  const client = clientOf(home);
  return until(`${count} turns have ended`, async () => {
    const entries = await client.entries(session);
    return entries.filter(({ kind }) => kind === 'turnEnded').length >= count && entries;
  });
};

const begunBy = (entries: readonly EntryView[]): readonly string[] =>
  entries.flatMap((entry) => (entry.kind === 'turnBegan' ? [entry.by] : []));

/** What is told in one of these lines stands before what is told in the next. */
function expectInOrder(shown: string, ...lines: readonly RegExp[]): void {
  const at = lines.map((line) => shown.split('\n').findIndex((text) => line.test(text)));
  expect(at).not.toContain(-1);
  expect(at).toEqual(at.toSorted((a, b) => a - b));
}

describe('rouse send', () => {
  test('T1 leads to two turns and no more: the start, and the wake that reports the end after its cause', async () => {
    const home = newHome();
    const session = await newSession(home);
    const sent = await rouse(home, ['send', session, STORY]);
    expect(sent).toMatchObject({ status: 0, stdout: 'started\n' });
    expect(sent.stderr).toContain(`rouse show -f ${session}`);
    expect(begunBy(await turnsEnded(home, session, 2))).toEqual(['person', 'wake']);
    const { stdout } = await rouse(home, ['show', session]);
    expectInOrder(
      stdout,
      /^\S+ person +run `sleep 1/,
      /^\S+ calls +terminal sleep 1; echo built; exit 2 /,
      /^\S+ agent +I started/,
      /^\S+ woken +sleep 1; echo built; exit 2 \(proc_\w+\) ended with exit 2 after/,
      /^ +│ built$/,
      /^\S+ agent +woken by completion of proc_\w+, exit 2: built$/,
    );
  });

  test('P12 T1 the same when the host is killed in between', async () => {
    const home = newHome();
    const session = await newSession(home);
    const gate = join(newFolder(), 'gate');
    const command = `while ! test -e ${gate}; do sleep 0.1; done; echo built; exit 2`;
    await rouse(home, ['send', session, `run \`${command}\` and tell me`]);
    await turnsEnded(home, session, 1);
    await endHost(home);
    writeFileSync(gate, '');
    // Brings a host back.
    await rouse(home, ['show', session]);
    expect(begunBy(await turnsEnded(home, session, 2))).toEqual(['person', 'wake']);
    const { stdout } = await rouse(home, ['show', session]);
    expectInOrder(stdout, /woken +while .* ended with exit 2 after/, /agent +woken by completion of .* exit 2: built/);
  });

  test('--wait prints the words that answer it, and fails with the turn', async () => {
    const { home, client } = await startHost();
    const { session } = await client.createSession();
    expect(await rouse(home, ['send', session.id.slice(0, 12), '-', '--wait'], { input: 'say one\nsay two' })).toEqual({
      status: 0,
      stdout: 'one\ntwo\n',
      stderr: '',
    });
    const held = begin(home, ['send', session.id, 'say begun\nhold 60000', '--wait']);
    await until('it runs', async () => (await client.session(session.id)).session.state === 'running');
    expect((await rouse(home, ['stop', session.id])).stdout).toBe('stopped\n');
    const { status, stderr } = await held.outcome();
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'The turn was stopped.\n' });
    expect((await rouse(home, ['show', session.id])).stdout).toContain('The turn was stopped');
    expect((await rouse(home, ['stop', session.id])).stdout).toBe('no turn is running\n');
  });

  test('T8 tells what became of it, and takes the same key once', async () => {
    const host = await startHost();
    const { home } = host;
    const talk = await Talk.begin(host);
    await talk.say('hold 60000');
    expect((await rouse(home, ['send', talk.id, 'say later', '--key', 'k'])).stdout).toBe('queued\n');
    expect((await rouse(home, ['send', talk.id, 'say later', '--key', 'k'])).stdout).toBe('duplicate\n');
    expect((await rouse(home, ['show', talk.id])).stderr).toBe('Waiting message: say later\n');
    expect((await rouse(home, ['send', talk.id, 'say now', '--mode', 'interrupt', '--wait'])).stdout).toBe('now\n');
    await talk.ended(3);
    expect(await talk.words()).toEqual(expect.arrayContaining(['now', 'later']));
  });

  test('N8 says of a message that was dropped that nobody answered it', async () => {
    const host = await startHost();
    const talk = await Talk.begin(host);
    await talk.say('hold 60000');
    const waiting = begin(host.home, ['send', talk.id, 'say never', '--wait']);
    await until('it waits', async () => (await host.client.session(talk.id)).waiting.length > 0);
    expect((await rouse(host.home, ['reset', talk.id])).stdout).toBe('reset\n');
    expect(await waiting.outcome()).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('No turn answered it'),
    });
  });

  test('refuses with a sentence in a session without an agent', async () => {
    const { home, client } = await startHost();
    const { session } = await client.createSession({ agent: 'none' });
    const { status, stderr } = await rouse(home, ['send', session.id, 'hello']);
    expect(status).toBe(1);
    expect(stderr).toContain('has no agent to answer');
  });
});

describe('rouse answer', () => {
  test('T11 answers the question that waits, and says when none does', async () => {
    const host = await startHost();
    const { home } = host;
    const talk = await Talk.begin(host);
    expect(await rouse(home, ['answer', talk.id, 'yes'])).toMatchObject({
      status: 1,
      stderr: `No question is open in ${talk.id}: its agent has not asked any.\n`,
    });
    await talk.say('call clarify {"question":"Deploy?","choices":["no way","yes"]}\nsay done');
    const { question } = await talk.comes('question');
    const { stdout } = await rouse(home, ['show', talk.id]);
    expect(stdout).toContain('Choices: no way · yes');
    expect(stdout).toContain(`Answer: rouse answer ${talk.id} TEXT --question ${question}`);
    expect((await rouse(home, ['sessions'])).stdout).toMatch(/ waiting /);
    expect((await rouse(home, ['answer', talk.id, 'yes', '--question', 'qst_zzzz'])).status).toBe(1);
    expect((await rouse(home, ['answer', talk.id, 'yes', '--question', question.slice(0, 10)])).stdout).toBe(
      'answered\n',
    );
    await talk.ended(1);
    const { stdout: after } = await rouse(home, ['show', talk.id]);
    expect(after).toMatch(/answer +yes\n/);
    expect(after).not.toContain('rouse answer');
    const late = await rouse(home, ['answer', talk.id, 'yes']);
    expect(late).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`${question} of ${talk.id} is no longer open`),
    });
    expect(late.stderr).toContain('it was answered before');
  });

  test('P20 shows the exact command, all of it and with what hides in it, and approves it by its question', async () => {
    const host = await startHost({ config: { approval: 'ask' } });
    const talk = await Talk.begin(host);
    const secret = `sk-ant-api03-${'a'.repeat(48)}`;
    const command = `echo ${secret} \u202e${'x'.repeat(3_000)}\u200b\necho second\u00a0line`;
    await talk.say(`call terminal ${JSON.stringify({ command })}\nsay done`);
    const { question } = await talk.comes('question');
    const exact = [`│ echo ${secret} ‹U+202E›${'x'.repeat(3_000)}‹U+200B›\n`, '│ echo second‹U+00A0›line\n'];
    const { stdout } = await rouse(host.home, ['show', talk.id]);
    for (const line of exact) expect(stdout).toContain(line);
    expect(stdout).toMatch(/ {2}in \/\S+ at local\n/);
    const unseen = await rouse(host.home, ['answer', talk.id, 'yes']);
    expect(unseen.status).toBe(1);
    for (const line of exact) expect(unseen.stderr).toContain(line);
    expect(unseen.stderr).toContain(`--question ${question}`);
    expect(await talk.state()).toBe('waiting');
    expect((await rouse(host.home, ['answer', talk.id])).status).toBe(2);
    expect((await rouse(host.home, ['answer', talk.id, 'no', '--question', question])).status).toBe(0);
    await talk.ended(1);
    expect((await rouse(host.home, ['show', talk.id])).stdout.match(new RegExp(`│ .*${secret}`))).toBeNull();
  });
});

test('T10 shows why wakes are paused, and lets them go on', async () => {
  const providers = { nowhere: { baseUrl: 'http://127.0.0.1:9/v1' } };
  const host = await startHost({ config: { providers } });
  const { home } = host;
  const talk = await Talk.begin(host, { model: 'unknown/model' });
  expect((await rouse(home, ['send', talk.id, 'hello', '--wait'])).status).toBe(1);
  await talk.ended(1);
  expect((await rouse(home, ['sessions'])).stdout).toMatch(/ WHY .*\n.* paused +\S/);
  expect((await rouse(home, ['show', talk.id])).stderr).toContain(`rouse resume ${talk.id}`);
  expect((await rouse(home, ['resume', talk.id])).stdout).toBe('resumed\n');
  await talk.ended(2);
  expect(await talk.state()).toBe('paused');
  await rouse(home, ['sessions', 'set', talk.id, '--model', 'rehearsal']);
  await talk.ended(3);
  expect((await talk.words()).join()).toContain('You said "hello"');
  expect((await rouse(home, ['resume', talk.id])).stdout).toBe('nothing to resume\n');
});

test('M1 lists the models at once, with the default and where the list is from', async () => {
  const home = newHome();
  await newSession(home);
  const { status, stdout, stderr } = await rouse(home, ['models']);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^ID .*DEFAULT/);
  expect(stdout).toMatch(/\nrehearsal .*yes/);
  expect(stderr).toContain('built-in');
  expect(JSON.parse((await rouse(home, ['models', '--json'])).stdout)).toMatchObject({ default: 'rehearsal' });
});
