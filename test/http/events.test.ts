import { beforeAll, describe, expect, test } from 'vitest';
import type { HostEvent } from '../../src/client/client.js';
import { streamEvents } from '../../src/client/stream.js';
import { startHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});

const newSession = async () => (await host.client.createSession({ agent: 'none' })).session.id;
const notify = async (session: string, text: string) => (await host.client.notify(session, text)).notice;

/** Reads until it is disposed of; `all` grows meanwhile. */
function reading(query: { session?: string; after?: number } = {}) {
  const over = new AbortController();
  const all: HostEvent[] = [];
  const read = async () => {
    for await (const event of host.client.events({ ...query, signal: over.signal })) all.push(event);
  };
  const done = read().catch((error: unknown) => {
    if (!over.signal.aborted) throw error;
  });
  return {
    all,
    /** What the notices among them say. */
    texts: () => all.flatMap((event) => (event.kind === 'notice' ? [textOf(event)] : [])),
    /** Over when the host has taken the reader up: from here on it misses nothing. */
    begun: () => until('the reader is greeted', () => all.length > 0),
    async [Symbol.asyncDispose]() {
      over.abort();
      await done;
    },
  };
}

const textOf = ({ notice: { cause } }: Extract<HostEvent, { kind: 'notice' }>) => ('text' in cause ? cause.text : '');

describe('the live stream', () => {
  test('L1 shows a notice when it is admitted and again when it is settled, with rising numbers', async () => {
    const session = await newSession();
    await using reader = reading({ session });
    await reader.begun();
    const { id } = await notify(session, 'deployed');
    await host.client.dismiss(id);
    const told = await until('both came', () => {
      const notices = reader.all.flatMap((event) => (event.kind === 'notice' ? [event] : []));
      return notices.length >= 2 && notices;
    });
    expect(told.map(({ notice }) => [notice.id, notice.state])).toEqual([
      [id, 'pending'],
      [id, 'suppressed'],
    ]);
    expect(told.map(({ seq }) => seq)).toEqual(told.map(({ notice }) => notice.seq));
    expect(told[1]?.seq).toBeGreaterThan(told[0]?.seq ?? 0);
  });

  test('L2 goes on after a number, with what came meanwhile and then with what comes', async () => {
    const session = await newSession();
    const { seq } = await notify(session, 'a');
    await notify(session, 'b');
    await using reader = reading({ session, after: seq });
    await until('b came', () => reader.texts().length === 1);
    await notify(session, 'c');
    await until('c came', () => reader.texts().length === 2);
    expect(reader.texts()).toEqual(['b', 'c']);
  });

  test('L2 goes on after the last event that a browser has had, whatever stands in the address', async () => {
    const session = await newSession();
    const { seq: first } = await notify(session, 'a');
    const { seq } = await notify(session, 'b');
    await notify(session, 'c');
    const response = await fetch(`${host.url}/api/events?session=${session}&after=${first - 1}`, {
      headers: { authorization: `Bearer ${host.token}`, 'last-event-id': String(seq) },
    });
    for await (const { event, data } of streamEvents(response.body as AsyncIterable<Uint8Array>)) {
      if (event !== 'notice') continue;
      expect(data).toMatchObject({ notice: { cause: { text: 'c' } } });
      break;
    }
  });

  test('L2 has no gap and tells nothing twice to one who comes back again and again', async () => {
    const session = await newSession();
    const count = 200;
    let after = (await notify(session, 'before')).seq;
    const writing = (async () => {
      for (let at = 0; at < count; at += 4)
        await Promise.all([0, 1, 2, 3].map((more) => notify(session, String(at + more))));
    })();
    const seen: string[] = [];
    while (seen.length < count) {
      await using reader = reading({ session, after });
      const few = Math.min(count - seen.length, 7);
      await until('a few came', () => reader.texts().length >= few);
      for (const event of reader.all) {
        expect(event.kind).not.toBe('reset');
        if ('seq' in event) expect(event.seq).toBeGreaterThanOrEqual(after);
        if ('seq' in event) after = event.seq;
        if (event.kind === 'notice') seen.push(textOf(event));
      }
    }
    await writing;
    expect(seen.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: count }, (_, at) => String(at)),
    );
  });

  test('L2 tells at once, and with every heartbeat, up to which number a reader has everything', async () => {
    const session = await newSession();
    const { seq } = await notify(session, 'a');
    const response = await fetch(`${host.url}/api/events?session=${session}`, {
      headers: { authorization: `Bearer ${host.token}` },
    });
    const beats: unknown[] = [];
    for await (const { event, id, data } of streamEvents(response.body as AsyncIterable<Uint8Array>)) {
      expect([event, data]).toEqual(['heartbeat', { seq: Number(id), head: seq }]);
      beats.push(Number(id));
      if (beats.length === 2) break;
    }
    expect(beats).toEqual([seq, seq]);
  });

  test('L2 tells one who has a number of another store to begin anew, and goes on from here', async () => {
    const session = await newSession();
    const { seq } = await notify(session, 'before');
    await using reader = reading({ session, after: seq + 1_000_000 });
    await reader.begun();
    expect(reader.all[0]).toMatchObject({ kind: 'reset', head: expect.any(Number) });
    await notify(session, 'behind');
    await until('it came', () => reader.texts().length > 0);
    expect(reader.texts()).toEqual(['behind']);
  });

  test('L7 shows one session only to who asked for it, and all to who asked for none', async () => {
    const [own, other] = [await newSession(), await newSession()];
    await using one = reading({ session: own });
    await using all = reading();
    await one.begun();
    await all.begun();
    await notify(other, 'for the other');
    await notify(own, 'for me');
    await until('both came', () => all.texts().length === 2);
    await until('it came', () => one.texts().length > 0);
    expect([one.texts(), all.texts()]).toEqual([['for me'], ['for the other', 'for me']]);
  });

  test('L7 is not found for a session that does not exist', async () => {
    await expect(host.client.events({ session: 'ses_nobody' }).next()).rejects.toMatchObject({
      word: 'not-found',
      problem: { status: 404 },
    });
  });
});

describe('processes and sessions on the live stream', () => {
  const processes = (all: readonly HostEvent[]) =>
    all.flatMap((event) => (event.kind === 'process' ? [event.process] : []));
  const sessions = (all: readonly HostEvent[]) =>
    all.flatMap((event) => (event.kind === 'session' ? [event.session] : []));

  test('L9 shows a process when it runs, when it is asked to stop and when it has ended', async () => {
    await using reader = reading();
    await reader.begun();
    const { id } = (await host.client.start({ command: 'trap "" TERM; sleep 300' })).process;
    const mine = () => processes(reader.all).filter((process) => process.id === id);
    await until('it is shown to run', () => mine().some(({ state }) => state === 'running'));
    const killing = host.client.kill(id);
    await until('it is shown to be asked', () => mine().some(({ state, stop }) => state === 'running' && stop));
    await host.client.kill(id, 'SIGKILL');
    await killing;
    await until('it is shown to have ended', () => mine().at(-1)?.end);
    expect(mine().at(-1)).toEqual((await host.client.process(id)).process);
  });

  test('L9 shows a session as it is listed, when it is made and whenever that changes', async () => {
    await using reader = reading();
    await reader.begun();
    const id = await newSession();
    const shown = () => sessions(reader.all).findLast((session) => session.id === id);
    const isListed = async () => {
      const listed = (await host.client.sessions()).find((session) => session.id === id);
      return listed && JSON.stringify(shown()) === JSON.stringify(listed);
    };
    await until('it is shown', isListed);
    await host.client.changeSession(id, { title: 'Builds' });
    await until('its title is shown', isListed);
    expect(shown()?.title).toBe('Builds');
    const { id: process } = (await host.client.start({ command: 'sleep 300', session: id })).process;
    await until('what runs is shown', async () => shown()?.running === 1 && isListed());
    await host.client.kill(process);
    await until('that it runs no more is shown', async () => shown()?.running === 0 && isListed());
    const { seq } = await notify(id, 'deployed');
    await until('what is owed is shown', async () => shown()?.owed === 1 && isListed());
    await host.client.seen(id, seq);
    await until('what was seen is shown', async () => shown()?.seenSeq === seq && isListed());
    await host.client.changeSession(id, { closed: true });
    await until('that it is closed is shown', async () => shown()?.closedAt !== undefined && isListed());
  });

  test('L7 L9 shows those of one session only to who asked for it', async () => {
    const [own, other] = [await newSession(), await newSession()];
    await using one = reading({ session: own });
    await one.begun();
    for (const session of [other, undefined, own])
      await host.client.start({ command: 'true', ...(session && { session }) });
    await until('its own came', () => processes(one.all).some(({ state }) => state === 'ended'));
    expect(new Set(processes(one.all).map(({ session }) => session))).toEqual(new Set([own]));
    expect(new Set(sessions(one.all).map(({ id }) => id))).toEqual(new Set([own]));
  });

  test('L9 shows that a process that could not start is gone', async () => {
    await using reader = reading();
    await reader.begun();
    const known = new Set((await host.client.list()).map(({ id }) => id));
    await expect(host.client.start({ command: 'true', cwd: '/nowhere' })).rejects.toThrow(
      'does not exist or cannot be entered',
    );
    const forgotten = await until('it is told', () => reader.all.find((event) => event.kind === 'forgotten'));
    expect(known).not.toContain(forgotten.process);
  });
});
