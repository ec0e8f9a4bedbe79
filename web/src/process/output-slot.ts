/**
 * The right to hold a connection open for the output of a process.
 *
 * A browser has six connections to one address, for all tabs together. The event stream takes one, and what a person
 * does must always find a free one. So at most three are held for output in the whole browser; every other view polls
 * once a second. The slots are locks, because the browser frees them when a tab dies.
 */
const SLOTS = ['rouse output 1', 'rouse output 2', 'rouse output 3'] as const;

/** Releasing it twice is harmless. */
export type Slot = { readonly release: () => void };

export type Locks = Pick<LockManager, 'request'>;

/** Undefined if all are taken, or if the browser has no locks. */
export async function takeSlot(locks: Locks | undefined): Promise<Slot | undefined> {
  if (!locks) return undefined;
  for (const name of SLOTS) {
    const slot = await taken(locks, name);
    if (slot) return slot;
  }
  return undefined;
}

const taken = (locks: Locks, name: string): Promise<Slot | undefined> =>
  new Promise((resolve, reject) => {
    const held = async (lock: Lock | null): Promise<void> => {
      if (lock) await new Promise<void>((release) => resolve({ release }));
      else resolve(undefined);
    };
    locks.request(name, { ifAvailable: true }, held).catch(reject);
  });
