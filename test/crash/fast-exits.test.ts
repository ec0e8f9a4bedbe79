import { createHash } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { cleanUp, startHost } from '../support/host.js';

afterEach(cleanUp);

const EXITS = 10_000;
const AT_ONCE = 8;
const BYTES = 20_000;

test(
  `5 the tail is whole in ${EXITS} of ${EXITS} fast exits, half of them in a terminal`,
  { timeout: 900_000 },
  async () => {
    const host = await startHost({ config: { retention: { count: 20_000 }, logLevel: 'error' } });
    const expected = sha(Buffer.from(`${'x'.repeat(BYTES - 4)}END\n`));
    const command = `printf '%0${BYTES - 4}d' 0 | tr 0 x; echo END`;
    let next = 0;
    let wrong = 0;
    const one = async (index: number): Promise<void> => {
      const { id } = (await host.client.start({ command, pty: index % 2 === 1 })).process;
      const { process } = await host.client.wait(id, 60_000);
      const { bytes } = await host.client.bytes(id, 0, 2 * BYTES);
      const whole =
        sha(Buffer.from(Buffer.from(bytes).toString('latin1').replace('\r\n', '\n'), 'latin1')) === expected;
      if (!whole || process.end?.kind !== 'exited' || process.end.code !== 0) wrong++;
    };
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < EXITS) await one(next++);
      }),
    );
    expect({ exits: next, wrong }).toEqual({ exits: EXITS, wrong: 0 });
  },
);

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
