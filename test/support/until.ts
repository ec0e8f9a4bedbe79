/** Waits for a fact, by asking again. The deadline is there to fail with a sentence, not to pass by. */
export async function until<Fact>(
  what: string,
  ask: () => Fact | undefined | false | null | Promise<Fact | undefined | false | null>,
  deadlineMs = 60_000,
): Promise<Fact> {
  const givingUpAt = performance.now() + deadlineMs;
  for (;;) {
    const fact = await ask();
    if (fact !== undefined && fact !== false && fact !== null) return fact;
    if (performance.now() > givingUpAt) throw new Error(`Waited ${deadlineMs} ms in vain until ${what}.`);
    await new Promise((later) => setTimeout(later, 10));
  }
}
