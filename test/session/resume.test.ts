import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../support/clean-up.js';
import { startHost } from '../support/host.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

const scene = async (config: object = {}) => {
  const host = await startHost({ config });
  return { host, talk: await Talk.begin(host) };
};

const runs = (talk: Talk) => until('it runs', async () => (await talk.state()) === 'running');

describe('a turn that a kill of the host cut off', () => {
  test('R1 R2 is taken up again when its message had no answer, and told in one line', async () => {
    const { host, talk } = await scene();
    await talk.say('hold 2000\nsay done');
    await runs(talk);
    await host.kill();
    const next = talk.on(await host.again());
    const entries = await next.ended(1);
    expect((await next.turns()).map(({ by }) => by)).toEqual(['person', 'resume']);
    expect(entries.find((entry) => entry.kind === 'note')).toMatchObject({ about: 'resumed' });
    expect((await next.words()).at(-1)).toContain('done');
  });

  test('R2 goes on after a tool call without its result, and does not run the command twice', async () => {
    const { host, talk } = await scene();
    // Not in the home of Rouse: writing there would be asked about.
    const stamp = join(newFolder(), 'stamp');
    await talk.say(`call terminal {"command":"echo ran >> ${stamp}; sleep 30"}\nsay done`);
    await until('it ran', async () => (await host.client.list({ session: talk.id })).length === 1);
    await talk.comes('toolCall');
    await host.kill();
    const next = talk.on(await host.again());
    await until('it was resumed', async () => (await next.turns()).length === 2);
    await next.ended(1);
    expect(readFileSync(stamp, 'utf8')).toBe('ran\n');
  });

  test('R2 R4 is left alone when it had ended', async () => {
    const { host, talk } = await scene();
    await talk.say('say done');
    await talk.ended(1);
    const before = await talk.entries();
    await host.kill();
    const next = talk.on(await host.again());
    expect(await next.state()).toBe('idle');
    expect(await next.entries()).toEqual(before);
  });

  test('R1 is suspended with a visible reason after three failed tries', { timeout: 180_000 }, async () => {
    const { host, talk } = await scene({ resume: { badBoots: 20 } });
    await talk.say('hold 600000');
    await runs(talk);
    let current = host;
    for (let tries = 1; tries <= 3; tries++) {
      await current.kill();
      current = await current.again();
      const next = talk.on(current);
      await until('it was taken up', async () => (await next.turns()).length === tries + 1);
    }
    await current.kill();
    const last = talk.on(await current.again());
    const note = await until('it says why', async () =>
      (await last.entries()).find((entry) => entry.kind === 'note' && entry.about === 'notResumed'),
    );
    expect(note).toMatchObject({ text: expect.stringContaining('tried 3 times') });
    expect(await last.state()).toBe('idle');
  });

  test('R3 is left alone when its last real entry is old, however fresh the mark', async () => {
    const { host, talk } = await scene({ resume: { freshMs: 0 } });
    await talk.say('hold 600000');
    await runs(talk);
    await host.kill();
    const next = talk.on(await host.again());
    const note = await next.comes('note');
    expect(note).toMatchObject({ about: 'notResumed' });
    expect(await next.turns()).toHaveLength(1);
  });

  test(
    'R8 is not taken up by the fifth of five boots that ended badly, which says so',
    { timeout: 180_000 },
    async () => {
      const { host, talk } = await scene({ resume: { tries: 50 } });
      await talk.say('hold 600000');
      await runs(talk);
      let current = host;
      for (let boots = 1; boots < 4; boots++) {
        await current.kill();
        current = await current.again();
        await until('it was taken up', async () => (await talk.on(current).turns()).length === boots + 1);
      }
      await current.kill();
      const next = talk.on(await current.again());
      const note = await until('it says so', async () =>
        (await next.entries()).find((entry) => entry.kind === 'note' && entry.about === 'notResumed'),
      );
      expect(note.kind).toBe('note');
    },
  );
});

describe('a clean stop', () => {
  test('R6 waits for a turn that ends in time, and leaves the other for the next host', async () => {
    const { host, talk } = await scene({ turns: { drainMs: 3_000 } });
    const long = await Talk.begin(host);
    await talk.say('hold 1000\nsay in time');
    await long.say('hold 30000\nsay too late');
    await runs(talk);
    await runs(long);
    await host.stop();
    const next = await host.again();
    const [quick, slow] = [talk.on(next), long.on(next)];
    await until('the slow one was taken up', async () => (await slow.turns()).length === 2);
    expect((await quick.turns()).map(({ by }) => by)).toEqual(['person']);
    expect(await quick.words()).toEqual(expect.arrayContaining([expect.stringContaining('in time')]));
    expect((await slow.turns()).map(({ by }) => by)).toEqual(['person', 'resume']);
  });
});
