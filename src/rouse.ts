#!/usr/bin/env node
// Every Node since 14 must be able to read this file, to end in a sentence instead of a syntax error. So it imports nothing
// before it knows the version, and uses no newer syntax.
import { fileURLToPath } from 'url';

const OLDEST = [20, 20];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [oldestMajor = 0, oldestMinor = 0] = OLDEST;

if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) {
  const { run } = await import('./command-line.js');
  process.exitCode = await run(fileURLToPath(import.meta.url));
} else {
  process.stderr.write(
    `Rouse needs Node ${OLDEST.join('.')} or later; this is ${process.version}. Install a newer one: https://nodejs.org/en/download\n`,
  );
  process.exitCode = 1;
}
