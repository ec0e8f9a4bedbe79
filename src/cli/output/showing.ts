/** Output on the caller's screen. */
import { put, say, type Caller } from '../caller.js';
import { ColouredText } from '../print/printable.js';
import type { Piece } from './reading.js';

/** Text may colour a terminal and do nothing else to it; bytes, and whatever goes into a file or a pipe, are not touched. */
export async function show(caller: Caller, pieces: AsyncIterable<Piece>): Promise<void> {
  const { stdout } = caller;
  const filter = stdout.isTTY ? new ColouredText() : undefined;
  for await (const { content, released } of pieces) {
    if (released > 0) say(caller, `… ${released} bytes released …`);
    await put(stdout, filter && typeof content === 'string' ? filter.pass(content) : content);
  }
  if (filter) await put(stdout, filter.finish());
}
