/** The providers' lists between two starts. Losing the file costs one refresh. */
import { readFileSync } from 'node:fs';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';

const ListedModel = z
  .object({ id: z.string(), provider: z.string(), name: z.string(), contextWindow: z.number().exactOptional() })
  .readonly();
export type ListedModel = z.infer<typeof ListedModel>;

const Lists = z.record(z.string(), z.object({ refreshedAt: z.number(), models: z.array(ListedModel) }));
/** By fingerprint. */
export type Lists = z.infer<typeof Lists>;

export function readLists(path: string): Lists {
  try {
    return Lists.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // ENOENT at the first start; and whatever else is wrong with a cache, the providers know better.
    return {};
  }
}

export async function writeLists(path: string, lists: Lists): Promise<void> {
  const beside = `${path}.new`;
  await writeFile(beside, JSON.stringify(lists), { mode: 0o600 });
  // One that a crash left behind keeps the mode it had.
  await chmod(beside, 0o600);
  await rename(beside, path);
}
