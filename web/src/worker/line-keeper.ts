/**
 * Runs once for all tabs of a browser. A browser opens six connections to one address and no more; this takes one of
 * them, however many tabs there are, and lives until the last of them is closed.
 */
import '../live/checks';
import type { ToKeeper, ToTab } from '../live/exchange';
import { Keeper, type Tab } from '../live/keeper';

declare const self: SharedWorkerGlobalScope;

const ALIVE_MS = 5_000;

const keeper = new Keeper(self.location.origin);
setInterval(() => keeper.tellAlive(), ALIVE_MS);

self.addEventListener('connect', ({ ports: [port] }) => {
  if (!port) return;
  const tab: Tab = { tell: (news: ToTab) => port.postMessage(news) };
  port.addEventListener('message', ({ data }: MessageEvent<ToKeeper>) => {
    if (data.kind !== 'join') return keeper.asked(tab, data);
    keeper.join(tab, data.key);
    // The lock is free when the tab is gone, whatever ended it.
    void self.navigator.locks.request(data.lock, () => keeper.leave(tab));
  });
  port.start();
});
