import pc from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import type { NoticeState } from '../../contract/notice.js';
import type { Caller } from '../caller.js';

/** For a terminal only, and not for one whose owner wants none. */
export const coloursOf = ({ stdout, env }: Pick<Caller, 'stdout' | 'env'>): Colors =>
  pc.createColors(!(env['NO_COLOR'] || !stdout.isTTY));

/** How a table is drawn for this caller; a file or a pipe has room for everything. */
export const screenOf = (caller: Pick<Caller, 'stdout' | 'env'>) => ({
  width: caller.stdout.isTTY ? caller.stdout.columns : undefined,
  colours: coloursOf(caller),
});

export const NOTICE_COLOURS = {
  pending: 'yellow',
  delivered: 'green',
  consumed: 'green',
  suppressed: 'dim',
  expired: 'dim',
  dead: 'red',
} as const satisfies Record<NoticeState, string>;
