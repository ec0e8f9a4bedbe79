import { nowMs } from '../peer.js';
import type { RouseField } from '../rouse.js';
import type { Feed } from './feed.js';

/** How long it takes from the message to the end of the turn that it began. */
export async function turnMs(field: RouseField, feed: Feed, session: string, text = 'Hello.'): Promise<number> {
  const ended = feed.end(session);
  const before = nowMs();
  await field.ask('POST', `/api/sessions/${session}/messages`, { text });
  return (await ended) - before;
}
