/** What a browser loads, as it comes over the wire: what the first view needs, and what comes when a terminal opens. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { sum } from '../numbers.js';

const folder = fileURLToPath(new URL('../../bin/page', import.meta.url));

export function weights(): { readonly first: number; readonly terminal: number } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:js|css|html)$/.test(name),
  );
  const weigh = (names: readonly string[]) =>
    sum(names.map((name) => gzipSync(readFileSync(join(folder, name))).length));
  const isTerminal = (name: string) => /xterm|terminal/i.test(name);
  return { first: weigh(files.filter((name) => !isTerminal(name))), terminal: weigh(files.filter(isTerminal)) };
}
