/** What a command can learn of the host's keys by looking at other processes of the same user. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { begin, rouse, started } from '../cli/rouse.js';
import { newHome, noteOf, startHost } from '../support/host.js';
import { RouseClient } from '../../src/client/client.js';
import { until } from '../support/until.js';

/** Another one in every run: other hosts on this machine may be tested in the same way. */
const planted = `planted-key-${randomUUID()}`;
const config = { providers: { mine: { baseUrl: 'http://127.0.0.1:1/v1', apiKeyEnv: 'MINE_KEY' } } };
const KEYS = { ANTHROPIC_API_KEY: `${planted}-a`, OPENAI_API_KEY: `${planted}-o`, MINE_KEY: `${planted}-m` };
const ALL = { ...KEYS, ROUSE_TOKEN: `rouse_${planted}-of-the-token-0123456789` };

/** Names whoever still shows a key: the pattern is written so that it does not find itself. */
const LOOK = `for file in /proc/[0-9]*/environ; do
  if tr '\\0' '\\n' < $file 2> /dev/null | grep -q '[p]${planted.slice(1)}'; then
    pid=\${file%/environ}; echo "shown by $(tr '\\0' ' ' < $pid/cmdline)"
  fi
done 2> /dev/null
echo looked`;

async function look(client: RouseClient): Promise<string> {
  const { process } = await client.start({ command: LOOK });
  await client.wait(process.id, 60_000);
  return (await client.output(process.id)).text;
}

describe('the keys of the host', () => {
  test('P23 are not in the environment of the host, the launcher, the shim or any other process', async () => {
    const host = await startHost({ env: KEYS, config });
    expect(readFileSync(`/proc/${host.pid}/environ`, 'latin1')).toContain('ROUSE_HOME=');
    expect(await look(host.client)).toBe('looked\n');
  });

  test('P23 are still known to the host', async () => {
    const host = await startHost({ env: KEYS, config });
    const { models } = await host.client.models();
    expect(new Set(models.map(({ provider }) => provider))).toContain('anthropic');
  });

  test('P23 are not shown by a host in the foreground', async () => {
    const home = newHome(config);
    begin(home, ['serve'], { env: ALL });
    const { url } = await until('it serves', () => noteOf(home));
    expect(await look(new RouseClient(url, ALL.ROUSE_TOKEN))).toBe('looked\n');
  });

  test('P23 are not shown by a host in the background, once the command that started it has ended', async () => {
    const home = newHome(config);
    expect((await rouse(home, ['run', '--', 'true'], { env: KEYS })).status).toBe(0);
    const id = await started(home, '--', LOOK);
    expect((await rouse(home, ['wait', id])).status).toBe(0);
    expect((await rouse(home, ['logs', id])).stdout).toBe('looked\n');
  });
});
