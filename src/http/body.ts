/** The body of a request as JSON, within limits that are checked before it is parsed. */
import type { Context } from 'hono';
import type { BodyLimits } from '../contract/route.js';
import { pause, type Clock } from '../ports/clock.js';
import { JsonSize, LIMITS } from './json-size.js';
import type { Bindings } from './guard.js';
import { problem } from './problem.js';

export const USUAL_BODY: BodyLimits = { bytes: 4 * 1_048_576 };

/** Reads from the connection itself: a web `Request` would cost more than the rest of the request. */
export async function bodyOf(
  { env: { incoming, outgoing }, req }: Context<Bindings>,
  { bytes, ms }: BodyLimits,
  clock: Clock,
): Promise<unknown> {
  if (Number(req.header('content-length') ?? 0) > bytes) return tooLarge(bytes);
  const chunks = incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  const reading = read(chunks, bytes);
  if (ms === undefined) return reading;
  const inTime = new AbortController();
  const late = pause(clock, ms, inTime.signal).then(() => {
    if (inTime.signal.aborted) return reading;
    outgoing.setHeader('connection', 'close');
    return problem(408, 'too-slow', 'The request did not arrive in time. Send it again.');
  });
  return Promise.race([reading, late]).finally(() => inTime.abort());
}

async function read(chunks: AsyncIterable<Buffer>, most: number): Promise<unknown> {
  const size = new JsonSize();
  const kept: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    // A little more is read and dropped: a caller whose connection is cut never learns why.
    if (length > 4 * most) break;
    if (length > most) continue;
    const tooMuch = size.add(chunk);
    if (tooMuch)
      return problem(
        400,
        'invalid',
        `The body is JSON with more than ${LIMITS[tooMuch].toLocaleString('en')} ${tooMuch}.`,
      );
    kept.push(chunk);
  }
  if (length > most) return tooLarge(most);
  try {
    return length === 0 ? {} : (JSON.parse(Buffer.concat(kept).toString()) as unknown);
  } catch {
    // Not JSON.
    return problem(400, 'invalid', 'The body is not JSON.');
  }
}

const tooLarge = (bytes: number): Response =>
  problem(
    413,
    'too-large',
    `The body is larger than ${bytes < 1_048_576 ? `${bytes} bytes` : `${bytes / 1_048_576} MiB`}.`,
  );
