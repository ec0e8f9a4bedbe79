/** A Rouse host as users run it, in a process of its own, that tells the moment after each commit of an end. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ProcessId } from '../src/contract/ids.js';
import type * as Main from '../src/host/main.js';
import type { Durability, ProcessWriter, Store, Transaction } from '../src/ports/store.js';
import { ballast } from './ballast.js';
import { nowMs } from './peer.js';

/** The build stands beside the compiled bench; its types are those of the source. */
const BUILD: string = '../bin/main.js';
const { serve } = (await import(BUILD)) as typeof Main;

/** Only what is called at an end is changed, and by as little as can be: what this costs is counted as ours. */
function telling(store: Store): Store {
  const transact = store.transact.bind(store);
  const noted = new WeakMap<Transaction, Transaction>();
  // Works run one after the other.
  let noting: ProcessId[] = [];
  const wrapped = (transaction: Transaction): Transaction => {
    const wrapping = noted.get(transaction) ?? withNotes(transaction, (id) => noting.push(id));
    noted.set(transaction, wrapping);
    return wrapping;
  };
  store.transact = async <Result>(work: (transaction: Transaction) => Promise<Result>, durability?: Durability) => {
    const ended: ProcessId[] = [];
    const result = await transact((transaction) => {
      noting = ended;
      return work(wrapped(transaction));
    }, durability);
    if (ended.length > 0) process.send?.({ stored: ended, at: nowMs() });
    return result;
  };
  return store;
}

function withNotes(transaction: Transaction, ended: (id: ProcessId) => void): Transaction {
  const { processes } = transaction;
  const update: ProcessWriter['update'] = (id, change) => {
    if (change.lifecycle?.kind === 'ended') ended(id);
    return processes.update(id, change);
  };
  return { ...transaction, processes: Object.assign(Object.create(processes) as ProcessWriter, { update }) };
}

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
