import { describe, expect, test } from 'vitest';
import { startHost } from '../support/host.js';
import { rouse } from './rouse.js';

async function scene() {
  const { home, client } = await startHost();
  const { session } = await client.createSession({ agent: 'none', title: 'Builds' });
  const start = async (command: string) =>
    (await client.start({ session: session.id, command, notifyOnComplete: true })).process.id;
  const ended = async (command: string) => {
    const id = await start(command);
    await client.wait(id, 60_000);
    return id;
  };
  const stateOf = async (id: string) => (await client.notices({ process: id }))[0]?.state;
  return { home, client, session: session.id, start, ended, stateOf };
}

const LOOKS: readonly (readonly string[])[] = [['wait'], ['logs', '--plain'], ['logs', '-f'], ['kill']];

describe('for the session that owns the process', () => {
  test('N3 what shows the end consumes it, under whatever beginning of an id was typed', async () => {
    const { home, session, ended, stateOf } = await scene();
    for (const look of LOOKS) {
      const id = await ended('seq 1 30; exit 3');
      await rouse(home, [...look, id.slice(0, 14), '--session', session.slice(0, 12)]);
      expect([look, await stateOf(id)]).toEqual([look, 'consumed']);
    }
  });

  test('N4 the same look by somebody else consumes nothing', async () => {
    const { home, ended, stateOf } = await scene();
    const id = await ended('true');
    for (const look of LOOKS) await rouse(home, [...look, id]);
    expect(await stateOf(id)).toBe('pending');
  });

  test('shows and ends as without it', async () => {
    const { home, session, ended } = await scene();
    const id = await ended('seq 1 30; exit 3');
    expect((await rouse(home, ['wait', id, '--session', session])).status).toBe(3);
    const { stdout } = await rouse(home, ['logs', '--tail', '2', id, '--session', session]);
    expect(stdout).toBe('29\n30\n');
    expect((await rouse(home, ['kill', id, '--session', session])).stdout).toContain('ended with exit 3');
  });

  test('N3 a kill is the end that it shows', async () => {
    const { home, session, start, stateOf } = await scene();
    const id = await start('sleep 60');
    expect((await rouse(home, ['kill', id, '--session', session])).stdout).toContain('SIGTERM by agent');
    expect(await stateOf(id)).toBe('consumed');
  });
});

test('N3 another session has no such process', async () => {
  const { home, client, ended, stateOf } = await scene();
  const id = await ended('echo mine');
  const { session: other } = await client.createSession({ agent: 'none', title: 'Other' });
  for (const look of LOOKS) {
    const { status, stdout, stderr } = await rouse(home, [...look, id, '--session', other.id]);
    // `wait` ends with the status of the process, and has none here.
    expect({ status, stdout }).toEqual({ status: look[0] === 'wait' ? 125 : 1, stdout: '' });
    expect(stderr).toContain(`has no process "${id}"`);
  }
  expect(await stateOf(id)).toBe('pending');
});

test('the exact bytes are for nobody in particular', async () => {
  const { home, session, ended } = await scene();
  const id = await ended('true');
  expect((await rouse(home, ['logs', '--raw', id, '--session', session])).status).toBe(2);
});

test('lists the processes of a session under a beginning of its id', async () => {
  const { home, client, session, start } = await scene();
  const id = await start('sleep 60');
  await client.start({ command: 'sleep 61' });
  const { stdout } = await rouse(home, ['ps', '--json', '--session', session.slice(4, 14)]);
  expect((JSON.parse(stdout) as { processes: { id: string }[] }).processes.map((process) => process.id)).toEqual([id]);
});
