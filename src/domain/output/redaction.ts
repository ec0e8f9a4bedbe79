/**
 * Takes secrets out of text before it is shown or stored outside the output file.
 *
 *   text ─┬─ values that we know ──────────────┐
 *         ├─ tokens, by how they begin ────────┤
 *         ├─ values, by the name before them ──┼──▶ spans ──▶ text without them
 *         └─ lines of private keys ────────────┘
 *
 *   1. A span lies within one line: lines are neither joined nor lost, and a line is redacted the same whatever stands
 *      around it. Only the lines of a private key are known by their neighbours.
 *   2. What is found is replaced whole; of a pair, the name stays and the value goes.
 *   3. Redaction comes before trimming: a secret cut in half is no longer recognised.
 *   4. What is redacted already stays as it is.
 *   5. It is a net, not a proof: what looks like any other word is not found (docs/decisions/0026).
 */
import { privateKeysIn } from './private-key.js';
import { REDACTED } from './secret-likeness.js';
import { tokensIn, type Span } from './secret-token.js';
import { valuesIn } from './secret-value.js';

export { REDACTED } from './secret-likeness.js';

export type Redactor = {
  /** Where the secrets stand, in order and apart from each other. */
  readonly spans: (text: string) => readonly Span[];
  readonly redact: (text: string) => string;
};

/** Makes a redactor that also knows these exact values (our own token, the model keys of the environment). */
export function redactor(values: readonly string[]): Redactor {
  const known = values.filter((value) => value.length >= 8);
  const spans = (text: string) =>
    merged([
      ...known.flatMap((value) => occurrences(text, value)),
      ...tokensIn(text),
      ...valuesIn(text),
      ...privateKeysIn(text),
    ]);
  return { spans, redact: (text) => without(text, spans(text)) };
}

function occurrences(text: string, value: string): Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
    found.push({ from: at, to: at + value.length });
  return found;
}

function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && span.from <= last.to) result[result.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else result.push(span);
  }
  return result;
}

function without(text: string, spans: readonly Span[]): string {
  let clean = '';
  let at = 0;
  for (const { from, to } of spans) {
    clean += text.slice(at, from) + REDACTED;
    at = to;
  }
  return clean + text.slice(at);
}
