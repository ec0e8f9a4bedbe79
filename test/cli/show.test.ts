import { expect, test } from 'vitest';
import { startHost } from '../support/host.js';
import { Talk } from '../support/talk.js';
import { begin, beginAtTerminal, rouse } from './rouse.js';

const count = (text: string, part: string): number => text.split(part).length - 1;

test('says how to begin where nothing was said yet', async () => {
  const host = await startHost();
  const talk = await Talk.begin(host);
  const { stdout, stderr } = await rouse(host.home, ['show', talk.id]);
  expect({ stdout, stderr }).toEqual({
    stdout: '',
    stderr: `The session is empty. To send a message: rouse send ${talk.id} TEXT\n`,
  });
});

test('leaves out an answer that says nothing, and lets no text touch a terminal', async () => {
  const host = await startHost();
  const talk = await Talk.begin(host);
  await talk.say('say NOTHING_TO_SAY');
  await talk.say('say red \u001b]0;owned\u0007alert');
  await talk.ended(2);
  const { stdout } = await beginAtTerminal(host.home, ['show', talk.id]).outcome();
  expect(stdout).not.toMatch(/agent\S* +NOTHING/);
  expect(stdout).not.toContain('\u001b]');
  expect(stdout).toContain('red alert');
});

test('L1 L2 --follow shows entries as they come, over another host too, each once', async () => {
  const first = await startHost();
  const talk = await Talk.begin(first);
  await talk.say('say one');
  await talk.ended(1);
  const following = begin(first.home, ['show', talk.id, '--follow']);
  await following.printed('agent    one\n');
  await talk.say('say two');
  await following.printed('agent    two\n');
  await first.kill();
  await following.printed('Waiting for the host to come back …');
  const again = talk.on(await first.again());
  await again.say('say three');
  await following.printed('agent    three\n');
  for (const word of ['one', 'two', 'three']) expect(count(following.stdout, `agent    ${word}\n`)).toBe(1);
});

test('L4 --follow prints words at a terminal as they come, and not again when they are an entry', async () => {
  const host = await startHost();
  const talk = await Talk.begin(host);
  const following = beginAtTerminal(host.home, ['show', talk.id, '-f'], { columns: 200 });
  await talk.say('say first words\nhold 60000');
  await talk.comes('message');
  await following.printed('hold 60000');
  await talk.say('say last words', 'interrupt');
  await following.printed('last words');
  await talk.ended(2);
  await following.printed('The turn was interrupted');
  await talk.say('say over');
  await following.printed('tokens in');
  await talk.ended(3);
  await following.printed('over');
  expect(count(following.stdout.replaceAll('say last words', ''), 'last words')).toBe(1);
});
