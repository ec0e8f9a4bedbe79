/**
 * The host that tests start. With FAULT=n it kills itself with SIGKILL at the nth fault point, counted over the calls
 * of store and place that change something: one point before each call, one after it. With FAULT_FROM=serving the
 * count begins when the host serves.
 */
import { serve } from '../../bin/main.js';

let left = Number(process.env.FAULT ?? 0);
let counting = process.env.FAULT_FROM !== 'serving';
delete process.env.FAULT;
delete process.env.FAULT_FROM;
const armed = left > 0;
const page = process.env.PAGE;
delete process.env.PAGE;
let passed = 0;

function point() {
  if (!counting) return;
  passed++;
  if (armed && --left === 0) process.kill(process.pid, 'SIGKILL');
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
  ...(armed && { around: { store: around, place: around } }),
});
counting = true;
process.on('SIGTERM', () => void host.stop('SIGTERM').then(() => process.exit(0)));
process.on('SIGUSR2', () => process.stderr.write(`fault points passed: ${passed}\n`));
