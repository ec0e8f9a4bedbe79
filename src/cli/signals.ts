/** Hears signals for as long as it is not disposed of. */
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
