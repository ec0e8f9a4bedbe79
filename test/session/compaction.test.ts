import { expect, test } from 'vitest';
import { startHost } from '../support/host.js';
import { expectSound } from '../support/sound.js';
import { Talk } from '../support/talk.js';

const TOKENS = 4_000;
const LONG = 'word '.repeat(500);

/** What the model was shown at its last step, by its own count. */
const shownAtLast = async (talk: Talk) =>
  (await talk.entries()).findLast((entry) => entry.kind === 'turnEnded')?.usage?.inputTokens ?? Infinity;

test('a session that outgrows its window is folded into an entry, goes on within the window, and does so over a restart', async () => {
  const host = await startHost();
  const talk = await Talk.begin(host, { model: `rehearsal/${TOKENS}` });
  await talk.say('call terminal {"command":"sleep 600","background":true}\nsay started');
  await talk.ended(1);
  const [running] = await host.client.list({ session: talk.id });
  let turns = 1;
  for (; turns < 10; turns++) {
    await talk.say(`say ${turns}\n${LONG}`);
    await talk.ended(turns + 1);
    expect(await shownAtLast(talk), `turn ${turns}`).toBeLessThan(TOKENS);
  }
  const folded = (await talk.entries()).filter(({ kind }) => kind === 'compaction').length;
  expect(folded).toBeGreaterThan(0);
  await host.kill();
  const next = talk.on(await host.again());
  for (; turns < 16; turns++) {
    await next.say(`say ${turns}\n${LONG}`);
    await next.ended(turns + 1);
    expect(await shownAtLast(next), `turn ${turns}`).toBeLessThan(TOKENS);
  }
  const entries = await next.entries();
  expectSound(entries, 'folded');
  expect(entries.filter(({ kind }) => kind === 'compaction').length).toBeGreaterThan(folded);
  expect((await next.words()).at(-1)).toContain('15');
  expect((await next.host.client.list({ session: talk.id, state: 'running' }))[0]?.id).toBe(running?.id);
});
