import { captures } from './capture.js';
import { exits } from './exit-latency.js';
import { kills } from './kills.js';
import { large } from './large-host.js';
import { matching } from './matching.js';
import { notices } from './notices.js';
import { outside } from './outside.js';
import { page } from './page.js';
import type { Part } from './part.js';
import { recoveries } from './recovery.js';
import { starts } from './start.js';
import { turns } from './turns.js';
import { watching } from './watching.js';

/** In the order in which they are asked: what fills the memory of the machine comes last. */
export const parts: readonly Part[] = [
  exits,
  outside,
  notices,
  starts,
  recoveries,
  kills,
  large,
  turns,
  page,
  matching,
  watching,
  captures,
];
