import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ProcessId } from '../../src/contract/ids.js';
import { isRefusal } from '../../src/contract/refusal.js';
import type { Sighting } from '../../src/ports/place.js';
import { newFolder } from '../support/clean-up.js';
import { localPlace } from '../support/local-place.js';

const EXITS = 10_000;
const AT_ONCE = 8;
const BYTES = 20_000;
const COMMAND = `printf '%0${BYTES - 4}d' 0; echo END`;
const EXPECTED = sha(`${'0'.repeat(BYTES - 4)}END\n`);

/** Straight at the place: what is tested is that the end is never told before the last byte is there. */
test(
  `5 the tail is whole in ${EXITS} of ${EXITS} fast exits, half of them in a terminal`,
  { timeout: 1_200_000 },
  async () => {
    const home = newFolder();
    const place = localPlace(home);
    const rung = new Map<ProcessId, () => void>();
    using _ = place.listen((id) => rung.get(id)?.());
    const wrong: string[] = [];
    let next = 0;

    const ended = (id: ProcessId): Promise<Sighting> =>
      new Promise((resolve, reject) => {
        const giveUp = setTimeout(() => reject(new Error(`${id} has not ended in a minute.`)), 60_000);
        const look = () =>
          void place.look(id).then((sighting) => {
            if (sighting.kind !== 'exited' && sighting.kind !== 'gone') return;
            clearTimeout(giveUp);
            resolve(sighting);
          });
        rung.set(id, look);
      });

    const one = async (index: number): Promise<void> => {
      const id = ProcessId.parse(`proc_${String(index).padStart(12, '0')}`);
      await place.prepare(id, { command: COMMAND, cwd: '/', env: {}, pty: index % 2 === 1 });
      const end = ended(id);
      place.launch(id);
      const sighting = await end;
      rung.delete(id);
      const bytes = await place.readOutput(id, 0, 2 * BYTES);
      const text = isRefusal(bytes) ? bytes.why : Buffer.from(bytes).toString('latin1').replace('\r\n', '\n');
      const record = sighting.kind === 'exited' ? sighting.record : sighting;
      const damaged = sighting.kind === 'exited' && sighting.damage !== undefined;
      if (sha(text) !== EXPECTED || record.kind !== 'exited' || record.code !== 0 || damaged)
        wrong.push(`${id}: ${text.length} bytes, ${JSON.stringify(record)}`);
      await place.remove(id);
    };
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < EXITS) await one(next++);
      }),
    );
    await place.close();
    expect({ exits: next, wrong }).toEqual({ exits: EXITS, wrong: [] });
  },
);

function sha(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex');
}
