/** What is not JSON stays text. */
export function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A model writes what it likes; whoever reads it says so.
    return text;
  }
}
