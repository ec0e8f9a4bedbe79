/** Hears signals until it is disposed of. */
export function onSignal(names: readonly NodeJS.Signals[], heard: (name: NodeJS.Signals) => void): Disposable {
  for (const name of names) process.on(name, heard);
  return {
    [Symbol.dispose]: () => {
      for (const name of names) process.off(name, heard);
    },
  };
}

/** What a shell makes of a program that Ctrl-C has ended. */
export const INTERRUPTED = 130;

/** Ctrl-C aborts the signal: the work then ends as it can, `interrupted` has the last word, and the status says so. */
export async function interruptible(
  work: (signal: AbortSignal) => Promise<number> | Promise<void>,
  interrupted: () => void = () => undefined,
): Promise<number> {
  const controller = new AbortController();
  const { signal } = controller;
  using _ = onSignal(['SIGINT'], () => controller.abort());
  try {
    const status = await work(signal);
    if (!signal.aborted) return status ?? 0;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  interrupted();
  return INTERRUPTED;
}
