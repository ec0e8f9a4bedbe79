/**
 * Runs once for all tabs of a browser and ends with the last of them. A browser opens at most six connections to one
 * address; this worker needs only one, however many tabs there are.
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
    // The browser releases the lock when the tab is gone, for whatever reason.
    void self.navigator.locks.request(data.lock, () => keeper.leave(tab));
  });
  port.start();
});
