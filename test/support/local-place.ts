import { systemClock } from '../../src/clock/system.js';
import type { Tools } from '../../src/place/local/environment.js';
import { LocalPlace } from '../../src/place/local/place.js';

export const LOCAL_TOOLS: Tools = {
  path: '/usr/bin:/bin',
  shell: '/bin/bash',
  setsid: '/usr/bin/setsid',
  env: '/usr/bin/env',
  script: '/usr/bin/script',
  loginShell: '/bin/bash',
  umask: 0o022,
};

/** The real place on this machine, in this program. The caller closes it. */
export const localPlace = (home: string, tools: Partial<Tools> = {}): LocalPlace =>
  new LocalPlace(home, { ...LOCAL_TOOLS, ...tools }, Promise.resolve({ PATH: process.env['PATH'] ?? '' }), systemClock);
