/**
 * Writes a file to its output in pieces of 64 KiB. Then it notes, in milliseconds, when it began, when it ended, and
 * for how long of that it could have run but others had the cores.
 */
import { closeSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';

const [, , path = '', times = ''] = process.argv;

const nowMs = () => performance.timeOrigin + performance.now();
const waitedMs = () => Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[1]) / 1e6;

const piece = Buffer.alloc(65_536);
const file = openSync(path, 'r');
const [began, waited] = [nowMs(), waitedMs()];
for (let length = readSync(file, piece); length > 0; length = readSync(file, piece))
  for (let written = 0; written < length;) written += writeSync(1, piece, written, length - written);
writeFileSync(times, [began, nowMs(), waitedMs() - waited].join(' '));
closeSync(file);
