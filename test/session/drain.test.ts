/** What a host does between being told to stop and being gone. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isCut, RouseClient, type HostEvent } from '../../src/client/client.js';
import { rouse } from '../cli/rouse.js';
import { newFolder } from '../support/clean-up.js';
import { exited, noteOf, startHost, type TestHost } from '../support/host.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

/** A host that drains until the gate is opened: its turn waits for that. */
async function draining() {
  const gate = join(newFolder(), 'gate');
  const host = await startHost({ config: { turns: { drainMs: 120_000, foregroundMs: 120_000 } } });
  const busy = await Talk.begin(host);
  const idle = await Talk.begin(host);
  await busy.say(`call terminal {"command":"while ! test -e ${gate}; do sleep 0.05; done"}\nsay done`);
  await busy.comes('toolCall');
  const events: HostEvent[] = [];
  const streamed = (async () => {
    for await (const event of host.client.events({ session: busy.id, after: 0 })) {
      if (event.kind === 'cut') return;
      events.push(event);
    }
  })();
  await until('the stream is open', () => events.length > 0);
  host.child.kill('SIGTERM');
  await until('it drains', async () => (await host.client.health()).status === 'stopping');
  const finish = async () => {
    writeFileSync(gate, '');
    await exited(host.child);
    await streamed;
    return host.again();
  };
  return { host, busy, idle, events, finish };
}

describe('a host that drains', () => {
  test('R7 T8 takes messages for the next host and says so, and the next host serves each once', async () => {
    const { host, idle, finish } = await draining();
    const stopping = [expect.stringContaining('This host is stopping. The message is stored')];
    expect(await idle.say('say kept')).toMatchObject({ disposition: 'queued', notes: stopping });
    expect(await host.client.send(idle.id, 'say keyed', { key: 'k' })).toMatchObject({ disposition: 'queued' });
    expect(await host.client.send(idle.id, 'say keyed', { key: 'k' })).toMatchObject({ disposition: 'duplicate' });
    expect(await idle.turns()).toEqual([]);
    const next = await finish();
    await idle.on(next).ended(2);
    expect(await idle.on(next).words()).toEqual(['kept', 'keyed']);
    expect((await idle.on(next).turns()).map(({ by }) => by)).toEqual(['person', 'person']);
  });

  test('R6 L2 answers reads, starts processes, takes notices and keeps its streams open to the end', async () => {
    const { host, busy, idle, events, finish } = await draining();
    expect((await host.client.session(busy.id)).session.state).toBe('running');
    const { process } = await host.client.start({ command: 'exec sleep 600', session: idle.id });
    await host.client.notify(idle.id, 'deployed');
    expect(await idle.turns()).toEqual([]);
    const { notice } = await host.client.notify(busy.id, 'tested');
    await until('the stream tells of it', () => events.some((event) => JSON.stringify(event).includes(notice.id)));
    const next = await finish();
    expect((await next.client.process(process.id)).process.state).toBe('running');
    await idle.on(next).ended(1);
    expect((await idle.on(next).turns()).map(({ by }) => by)).toEqual(['wake']);
    await next.client.kill(process.id);
  });

  test('R7 says in the terminal that the next host serves the message, and waits for that one with --wait', async () => {
    const { host, idle, finish } = await draining();
    const sent = await rouse(host.home, ['send', idle.id, 'say kept']);
    expect(sent).toMatchObject({ status: 0, stdout: 'queued\n', stderr: expect.stringContaining('host is stopping') });
    const waits = rouse(host.home, ['send', idle.id, 'say waited', '--wait']);
    await until('both are stored', async () => (await host.client.session(idle.id)).waiting.length === 2);
    await finish().catch(() => undefined);
    expect(await waits).toMatchObject({ status: 0, stdout: 'waited\n' });
  });
});

describe('messages that are sent all the while', () => {
  const client = ({ home, token }: TestHost) => new RouseClient(noteOf(home)?.url ?? 'http://127.0.0.1:9', token);

  test('R7 over two clean restarts are each taken once, and the sender is told of each', async () => {
    const host = await startHost({ config: { turns: { drainMs: 300 } } });
    const talk = await Talk.begin(host);
    const enough = new AbortController();
    let taken = 0;
    let current = host;
    const sending = (async () => {
      for (; !enough.signal.aborted; taken++)
        await until(`message ${taken} is taken`, () =>
          client(host)
            .send(talk.id, `say ${taken}`, { key: `key ${taken}` })
            .catch((error: unknown) => {
              if (!isCut(error)) throw error;
            }),
        );
    })();
    const more = async () => {
      const before = taken;
      await until('20 more are taken', () => taken >= before + 20);
    };
    for (let restarts = 0; restarts < 2; restarts++) {
      await more();
      await current.stop();
      current = await current.again();
    }
    await more();
    enough.abort();
    await sending;
    const last = talk.on(current);
    const entries = await last.ended(taken, 120_000);
    const said = entries.flatMap((entry) => (entry.kind === 'message' ? [entry.text] : []));
    expect(said).toEqual(Array.from({ length: taken }, (_, number) => `say ${number}`));
  });
});
