import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Tests that start a host of their own run what a user runs: the built program. */
export default function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../tools/build.mjs', import.meta.url))], { stdio: 'inherit' });
}
