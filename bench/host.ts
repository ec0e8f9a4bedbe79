/** A Rouse host as users run it, in a process of its own, that tells the moment after each commit of an end. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type * as Main from '../src/main.js';
import type { Durability, ProcessWriter, Store, Transaction } from '../src/store.js';
import { ballast } from './ballast.js';
import { nowMs } from './peer.js';

/** The build stands beside the compiled bench; its types are those of the source. */
const BUILD: string = '../bin/main.js';
const { serve } = (await import(BUILD)) as typeof Main;

type Told = { ended: string[] };

const watched = (processes: ProcessWriter, told: Told): ProcessWriter =>
  new Proxy(processes, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...parameters: unknown[]) => {
        const [id, change] = parameters as Parameters<ProcessWriter['update']>;
        if (name === 'update' && change.lifecycle?.kind === 'ended') told.ended.push(id);
        return Reflect.apply(value, target, parameters) as unknown;
      };
    },
  });

const telling = (store: Store): Store =>
  new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'transact') return value.bind(target) as unknown;
      return async (work: (transaction: Transaction) => Promise<unknown>, durability?: Durability) => {
        const told: Told = { ended: [] };
        const result = await target.transact(
          (transaction) => work({ ...transaction, processes: watched(transaction.processes, told) }),
          durability,
        );
        if (told.ended.length > 0) process.send?.({ stored: told.ended, at: nowMs() });
        return result;
      };
    },
  });

ballast(Number(process.env['ROUSE_BENCH_BALLAST_MB'] ?? 0));
const host = await serve({ env: process.env, port: 0, around: { store: telling } });
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
process.on('message', (asked) => {
  if (asked !== 'collect garbage') return;
  collect();
  process.send?.({ collected: true });
});
process.send?.({ url: host.url, token: host.token, at: nowMs() });
process.once('SIGTERM', () => void host.stop('SIGTERM').then(() => process.exit(0)));
process.once('disconnect', () => void host.stop('the bench is gone').then(() => process.exit(0)));
