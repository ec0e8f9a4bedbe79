import { expect, test } from 'vitest';
import { startHost, type TestHost } from '../support/host.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';
import { program } from './rouse.js';

/** The output of a command line that Rouse itself runs, with the status of each line behind it. */
async function runInside(host: TestHost, lines: readonly string[]): Promise<string> {
  const script = lines
    .map((line) => `ROUSE_HOME=${host.home} ${process.execPath} ${program} ${line}; echo "status $?"`)
    .join('\n');
  const { process: started } = await host.client.start({ command: script });
  await until('it ended', async () => (await host.client.process(started.id)).process.state === 'ended');
  return (await host.client.output(started.id)).text;
}

test('N17 T11 rouse refuses to act from inside a process that Rouse started, and still looks', async () => {
  const host = await startHost();
  const talk = await Talk.begin(host);
  await talk.say('call clarify {"question":"Which one?"}');
  const { question } = await talk.comes('question');
  const acts = [
    `answer ${talk.id} yes --question ${question}`,
    `send ${talk.id} yes`,
    'open',
    `run --session ${talk.id} -- true`,
    `notify --session ${talk.id} yes`,
    `sessions set ${talk.id} --title mine`,
    `resume ${talk.id}`,
  ];
  const refused = await runInside(host, acts);
  expect(refused.match(/status 1/g)).toHaveLength(acts.length);
  expect(
    refused.match(/which Rouse started, sent this request, and by default a process may not do this/g),
  ).toHaveLength(acts.length);
  expect(await talk.state()).toBe('waiting');
  const looked = await runInside(host, ['ps', `show ${talk.id}`, 'run -- true']);
  expect(looked.match(/status 0/g)).toHaveLength(3);
});

test('N17 the owner allows a process to notify', async () => {
  const host = await startHost({ config: { processesMay: ['notify'] } });
  const talk = await Talk.begin(host);
  expect(await runInside(host, [`notify --session ${talk.id} hello`])).toMatch(/^ntc_\w+\s+status 0/);
  await talk.ended(1);
});
