const FIRST_PAUSE_MS = 10;
/** A question to a host costs it and us a millisecond or two: what takes long is asked for less often. */
const LONGEST_PAUSE_MS = 40;

/** Waits for a fact, by asking again. The deadline is there to fail with a sentence, not to pass by. */
export async function until<Fact>(
  what: string,
  ask: () => Fact | undefined | false | null | Promise<Fact | undefined | false | null>,
  deadlineMs = 60_000,
): Promise<Fact> {
  const givingUpAt = performance.now() + deadlineMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const fact = await ask();
    if (fact !== undefined && fact !== false && fact !== null) return fact;
    if (performance.now() > givingUpAt) throw new Error(`Waited ${deadlineMs} ms in vain until ${what}.`);
    await new Promise((later) => setTimeout(later, pauseMs));
  }
}
