/** (h) From the end of a process to the request at a webhook, and whether what is settled already slows the next. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '../src/clock/system.js';
import { NoticeId, SessionId } from '../src/contract/ids.js';
import { born, delivered } from '../src/domain/notice/settle.js';
import { SqliteStore } from '../src/store/sqlite/store.js';
import { percentile } from './numbers.js';
import type { Part } from './part.js';
import { nowMs } from './peer.js';
import { atMost, bound, ms, only, row, whole } from './report.js';
import { rouse, RouseField } from './rouse.js';
import { onStage } from './stage.js';
import { Arrivals, pause } from './wait.js';

const FEW = 10;
const SETTLE_MS = 10;
/** Notices in one transaction. */
const BATCH = 5_000;

export const notices: Part = {
  name: 'notices',
  async measure(_, { deliveries, settledNotices }) {
    await using webhook = await openWebhook();
    const ends = await endToWebhook(webhook, Math.ceil(deliveries / 2));
    const floor = await bareFetches(webhook, deliveries);
    const { few, many } = await amongSettled(webhook, deliveries, settledNotices);
    const [own, bare] = [percentile(ends, 0.5), percentile(floor, 0.5)];
    const p50 = { few: percentile(few, 0.5), many: percentile(many, 0.5) };
    return {
      rows: [
        row(
          'end of a process to the request at a webhook, p50',
          new Map([
            ['Rouse', own],
            ['bare Node', bare],
          ]),
          ms,
        ),
        only('… p99', ms(percentile(ends, 0.99))),
        only(`a message to its request, among ${FEW} settled, p50`, ms(p50.few)),
        only(`… among ${whole(settledNotices)}`, ms(p50.many)),
      ],
      verdicts: [
        bound('end to webhook, p50: under 20 ms', own, 20, 'ms'),
        atMost(`a notice among ${whole(settledNotices)} settled: as fast (1.25 allowed)`, p50.many, p50.few, 1.25),
      ],
    };
  },
};

type Webhook = Awaited<ReturnType<typeof openWebhook>>;

/** Answers at once, and remembers when the first request for each process or text came. */
async function openWebhook() {
  const came = new Arrivals<string, number>();
  const server = createServer((request, response) => {
    const at = nowMs();
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      response.writeHead(204).end();
      const { notice } = JSON.parse(body) as { notice: { process?: string; cause: { text?: string } } };
      came.arrive(notice.process ?? notice.cause.text ?? '', at);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    came,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const endToWebhook = ({ url, came }: Webhook, count: number): Promise<number[]> =>
  onStage(rouse(roomy), count, async ({ field, gates }) => {
    if (!(field instanceof RouseField)) throw new Error('Only Rouse tells.');
    const session = await field.session({ webhook: { url } });
    const took: number[] = [];
    for (const [index, gate] of gates.entries()) {
      await field.start(index, { session, notifyOnComplete: true });
      await gate.reached();
      await pause(SETTLE_MS);
      const at = gate.open();
      took.push((await came.of(field.idOf(index))) - at);
    }
    return took;
  });

/** The floor: the same request with nothing before it. */
async function bareFetches({ url, came }: Webhook, count: number): Promise<number[]> {
  const took: number[] = [];
  for (let index = 0; index < count; index++) {
    const body = JSON.stringify({ notice: { cause: { text: `bare ${index}` } }, text: 'x'.repeat(1_000) });
    await pause(SETTLE_MS);
    const at = nowMs();
    await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    took.push((await came.of(`bare ${index}`)) - at);
  }
  return took;
}

/** Two hosts, asked in turn, so that what else the machine does meets both. */
const amongSettled = (webhook: Webhook, count: number, settled: number) =>
  onStage(rouse(roomy), 1, (few) =>
    onStage(rouse(roomy), 1, async (many) => {
      const hosts = [await prepared(few.field, webhook, FEW), await prepared(many.field, webhook, settled)] as const;
      const took: [number[], number[]] = [[], []];
      for (let index = 0; index < count; index++)
        for (const which of [0, 1] as const) took[which].push(await hosts[which](`${which} ${index}`));
      return { few: took[0], many: took[1] };
    }),
  );

const roomy = { config: { limits: { processes: 1_000, processesPerSession: 1_000 } } };

/** A host whose store holds so many settled notices of one session. Answers with what tells it one more. */
async function prepared(field: unknown, { url, came }: Webhook, settled: number) {
  if (!(field instanceof RouseField)) throw new Error('Only Rouse tells.');
  const session = await field.session({ webhook: { url } });
  await field.kill();
  await fill(join(field.home, 'rouse.db'), SessionId.parse(session), settled);
  await field.serve();
  return async (text: string): Promise<number> => {
    await pause(SETTLE_MS);
    const at = nowMs();
    await field.ask('POST', `/api/sessions/${session}/notices`, { text });
    return (await came.of(text)) - at;
  };
}

async function fill(path: string, session: SessionId, count: number): Promise<void> {
  const store = await SqliteStore.open(path, systemClock);
  const cause = { kind: 'message', text: 'x'.repeat(500), from: 'bench' } as const;
  const standing = delivered(born(cause, { closed: false, policy: 'always' }, 1), 'webhook', 2);
  if (standing === 'settled already') throw new Error('A notice was born settled.');
  for (let at = 0; at < count; at += BATCH)
    await store.transact(async ({ notices }) => {
      for (let index = at; index < Math.min(count, at + BATCH); index++) {
        const id = NoticeId.parse(`ntc_${String(index).padStart(16, '0')}`);
        await notices.admit({ id, session, cause, at: index, standing });
      }
    });
  await store.close();
}
