/** Sessions with journals of very different length on one host: how soon one is shown, and how soon it goes on. */
import { SessionId } from '../../src/contract/ids.js';
import { median } from '../numbers.js';
import { nowMs } from '../peer.js';
import { rouse, type RouseField } from '../rouse.js';
import { onStage } from '../stage.js';
import { Feed } from './feed.js';
import { fill, type Journal } from './filled.js';
import { turnMs } from './talk.js';

const SHORT: Journal = { id: SessionId.parse('ses_short0000000000'), entries: 100, compacted: true };
const long = (entries: number): Journal => ({ id: SessionId.parse('ses_long00000000000'), entries, compacted: true });
const whole = (entries: number): Journal => ({ id: SessionId.parse('ses_whole0000000000'), entries, compacted: false });

type Pace = { readonly openMs: number; readonly continueMs: number };
export type LongJournal = {
  readonly short: Pace;
  readonly long: Pace;
  /** Never compacted before: its first turn does that, and the others have it behind them. */
  readonly whole: Pace & { readonly firstMs: number };
};

export const longJournal = (entries: number, rounds: number): Promise<LongJournal> => {
  const journals = [SHORT, long(entries), whole(entries)];
  return onStage(rouse({ fill: (database) => fill(database, journals) }), 0, async ({ field }) => {
    using feed = await Feed.of(field);
    const firstMs = await Promise.all(journals.map(({ id }) => turnMs(field, feed, id)));
    const paces = journals.map(({ id }) => ({ id, opened: [] as number[], continued: [] as number[] }));
    for (let round = 0; round < rounds; round++)
      for (const { id, opened, continued } of paces) {
        opened.push(await openMs(field, id));
        continued.push(await turnMs(field, feed, id));
      }
    const pace = (index: number): Pace => ({
      openMs: median(paces[index]?.opened ?? []),
      continueMs: median(paces[index]?.continued ?? []),
    });
    return { short: pace(0), long: pace(1), whole: { ...pace(2), firstMs: firstMs[2] ?? Number.NaN } };
  });
};

/** As many entries of each as the short one has: what is compared is the journal behind them. */
async function openMs(field: RouseField, session: string): Promise<number> {
  const before = nowMs();
  await field.ask('GET', `/api/sessions/${session}?entries=${SHORT.entries}`);
  return nowMs() - before;
}
