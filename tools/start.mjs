/** `npm start`: installs and builds what is missing, then runs the host in the foreground. */
import { build, installPackages } from './prepare.mjs';

await installPackages();
await build();
process.argv.splice(2, 0, 'serve');
await import('../bin/rouse.js');
