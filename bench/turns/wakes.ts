/** From the end of a command to the first words of the agent that it wakes, beside the moment the end is stored. */
import type { Gate } from '../gate.js';
import { rouse, type RouseField } from '../rouse.js';
import { onStage } from '../stage.js';
import { pause } from '../wait.js';
import { Feed } from './feed.js';
import { turnMs } from './talk.js';

const SETTLE_MS = 20;

export type Wake = { readonly storedMs: number; readonly wordsMs: number };

export const wakes = (count: number): Promise<readonly Wake[]> =>
  onStage(rouse(), count, async ({ field, gates }) => {
    using feed = await Feed.of(field);
    const all: Wake[] = [];
    for (const [index, gate] of gates.entries()) all.push(await oneWake(field, feed, gate, index));
    return all;
  });

/** Every one in a session of its own, which has had a turn and is idle. */
async function oneWake(field: RouseField, feed: Feed, gate: Gate, index: number): Promise<Wake> {
  const session = await field.session();
  await turnMs(field, feed, session);
  await field.start(index, { session, notifyOnComplete: true });
  await gate.reached();
  const [stored, words, ended] = [field.ended(index), feed.words(session), feed.end(session)];
  await pause(SETTLE_MS);
  const at = gate.open();
  const wake = { storedMs: (await stored) - at, wordsMs: (await words) - at };
  await ended;
  return wake;
}
