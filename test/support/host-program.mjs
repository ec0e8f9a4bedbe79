/**
 * The host that tests start. With FAULTS it kills itself with SIGKILL at the nth fault point, counted over the calls of
 * store and place that change something: one point before each call, one after it. The number stands in the file that
 * FAULTS names; it counts from the moment at which it is there, and is taken away when it is read.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { serve } from '../../bin/main.js';

const faults = process.env.FAULTS;
delete process.env.FAULTS;
const page = process.env.PAGE;
delete process.env.PAGE;
let left = 0;

function point() {
  if (existsSync(faults)) {
    left = Number(readFileSync(faults, 'utf8'));
    rmSync(faults);
  }
  if (left > 0 && --left === 0) process.kill(process.pid, 'SIGKILL');
}

const DURABLE = new Set([
  'transact',
  'prepare',
  'launch',
  'abandon',
  'hush',
  'signal',
  'remove',
  'releaseOutput',
  'closeInput',
]);

const around = (port) =>
  new Proxy(port, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (!DURABLE.has(name)) return value.bind(target);
      return (...args) => {
        point();
        const outcome = value.apply(target, args);
        if (outcome instanceof Promise) return outcome.finally(point);
        point();
        return outcome;
      };
    },
  });

const host = await serve({
  env: process.env,
  ...(page && { page }),
  ...(faults && { around: { store: around, place: around } }),
});
process.on('SIGTERM', () => void host.stop('SIGTERM').then(() => process.exit(0)));
