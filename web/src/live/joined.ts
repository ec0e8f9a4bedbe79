/** Connects a tab to the event stream: shared with the other tabs if the browser can, otherwise its own. */
import type { ToKeeper, ToTab } from './exchange';
import { Keeper } from './keeper';
import { browserKey } from './key';
import { scriptOf } from './scripts';

export type Joined = { readonly ask: (question: ToKeeper) => void };

const GONE_MS = 20_000;

/** Calls `restarted` when another worker takes over: events may be missing, so everything must be read again. */
export function join(hear: (news: ToTab) => void, restarted: () => void): Joined {
  // Plain http has no locks, and without them the worker cannot notice that a tab is gone.
  const canShare = typeof SharedWorker !== 'undefined' && 'locks' in navigator;
  return canShare ? joinShared(hear, restarted) : joinOwn(hear);
}

function joinOwn(hear: (news: ToTab) => void): Joined {
  const keeper = new Keeper(location.origin);
  const tab = { tell: hear };
  keeper.join(tab, browserKey());
  return { ask: (question) => keeper.asked(tab, question) };
}

function joinShared(hear: (news: ToTab) => void, restarted: () => void): Joined {
  const lock = `rouse tab ${crypto.randomUUID()}`;
  const joining = (): ToKeeper => ({ kind: 'join', lock, key: browserKey() });
  let port = connect();
  let heardAt = Date.now();

  function connect(): MessagePort {
    const worker = new SharedWorker(scriptOf('keeper'), { type: 'module' });
    worker.port.addEventListener('message', ({ data }: MessageEvent<ToTab>) => {
      heardAt = Date.now();
      hear(data);
    });
    worker.port.start();
    return worker.port;
  }

  // Held until the tab is gone. Requested before joining, so that the worker cannot get it first.
  void navigator.locks.request(lock, () => {
    port.postMessage(joining());
    return new Promise(() => undefined);
  });

  let lookedAt = Date.now();
  setInterval(() => {
    const now = Date.now();
    // If the tab itself was asleep, its silence says nothing about the worker.
    const slept = now - lookedAt > GONE_MS / 2;
    lookedAt = now;
    if (slept) heardAt = now;
    if (now - heardAt < GONE_MS) return;
    heardAt = now;
    port.close();
    port = connect();
    port.postMessage(joining());
    restarted();
  }, GONE_MS / 4);

  return { ask: (question) => port.postMessage(question) };
}
