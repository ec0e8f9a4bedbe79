/** Speaks to pm2 by its own library, from the folder it was installed in. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { nowMs } from '../peer.js';

type Done = (error: Error | null) => void;
type Pm2 = {
  connect(done: Done): void;
  start(options: object, done: Done): void;
  launchBus(done: (error: Error | null, bus: { on(name: string, heard: (event: Exit) => void): void }) => void): void;
  killDaemon(done: Done): void;
};
type Exit = { readonly event: string; readonly process: { readonly name: string } };

const [packages = '', folder = ''] = process.argv.slice(2);
const pm2 = createRequire(join(packages, 'package.json'))('pm2') as Pm2;

const must =
  (then: () => void): Done =>
  (error) => {
    if (error) throw error;
    then();
  };

function start(index: number, command: string): void {
  const options = {
    name: String(index),
    script: '/bin/bash',
    args: ['-c', command],
    interpreter: 'none',
    autorestart: false,
    vizion: false,
    out_file: join(folder, `output-${index}`),
    error_file: '/dev/null',
    pid_file: join(folder, `pid-${index}`),
  };
  pm2.start(options, (error) => process.send?.(error ? { failed: String(error) } : { started: index }));
}

process.on('message', (message: { index: number; command: string } | 'close') => {
  if (message === 'close') pm2.killDaemon(() => process.exit(0));
  else start(message.index, message.command);
});
pm2.connect(
  must(() =>
    pm2.launchBus((_, bus) => {
      bus.on('process:event', ({ event, process: { name } }) => {
        if (event === 'exit') process.send?.({ ended: Number(name), at: nowMs() });
      });
      process.send?.({ ready: true });
    }),
  ),
);
