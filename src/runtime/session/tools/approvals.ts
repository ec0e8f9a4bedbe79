/** What people have allowed for good. */
import { z } from 'zod';
import { covers, type Asked } from '../../../domain/approval/approval.js';
import type { KeptReader, Store } from '../../../ports/store.js';

export interface Approvals {
  allowed(): Promise<readonly Asked[]>;
  /** From now on exactly this runs without a question. Again for the same: the same. */
  allow(exact: Asked): Promise<void>;
}

const NAME = 'approved commands';

const Kept = z.array(
  z.object({
    kind: z.enum(['command', 'input', 'file', 'tool']).optional(),
    command: z.string(),
    cwd: z.string(),
    place: z.string(),
  }),
);

export class StoredApprovals implements Approvals {
  constructor(readonly store: Store) {}

  allowed(): Promise<readonly Asked[]> {
    return listIn(this.store.kept);
  }

  async allow({ kind, command, cwd, place }: Asked): Promise<void> {
    const exact = { ...(kind && { kind }), command, cwd, place };
    await this.store.transact(async ({ kept }) => {
      const allowed = await listIn(kept);
      if (!allowed.some((approval) => covers(approval, exact))) await kept.put(NAME, [...allowed, exact]);
    });
  }
}

const listIn = async (kept: KeptReader): Promise<readonly Asked[]> => Kept.parse((await kept.get(NAME)) ?? []);
