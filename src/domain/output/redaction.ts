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
import { REDACTED, valuesIn } from './secret-value.js';
import { tokensIn, type Span } from './secret-token.js';

export { REDACTED } from './secret-value.js';

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

/**
 * The lines of private keys in PEM.
 *
 *   -----BEGIN RSA PRIVATE KEY-----      stays
 *   Proc-Type: 4,ENCRYPTED               stays, as do blank lines before the key itself
 *   MIIEow…                              goes: whole lines of base64 behind a beginning, or before an end
 *   -----END RSA PRIVATE KEY-----        stays
 *
 *   1. Each line goes by itself. The first that is not base64 ends the key, so that a beginning without an end takes
 *      no ordinary line with it.
 *   2. An end without its beginning counts too: a tail of output often begins inside a key.
 *   3. A key that was put on one line, with `\n` written out, goes up to its end or the end of the line.
 */
const ON_ONE_LINE =
  /(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\\{1,2}[nr]| ){0,4})[A-Za-z0-9+/=]{16,}(?:(?:\\{1,2}[nr]| ){1,4}[A-Za-z0-9+/=]{16,})*(?:(?:\\{1,2}[nr]| ){1,4}[A-Za-z0-9+/=]{1,15}(?=\\|[ \t]|-----END))?/g;
const EDGE = /-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[ \t\r]*$/gm;
const HEADER = /^[ \t]*(?:[A-Za-z][A-Za-z-]{1,30}: .*)?\r?$/;
const BODY = /^([ \t]*)([A-Za-z0-9+/]+={0,2})[ \t]*\r?$/;
/** A shorter line may be a word; only right before an end is it the rest of a key. */
const LEAST = 16;

function privateKeysIn(text: string): Span[] {
  if (!text.includes('PRIVATE KEY')) return [];
  const found = [...text.matchAll(ON_ONE_LINE)].map(({ index, 0: whole, 1: kept = '' }) => ({
    from: index + kept.length,
    to: index + whole.length,
  }));
  for (const { index, 0: edge, 1: kind } of text.matchAll(EDGE))
    found.push(...(kind === 'BEGIN' ? behind(text, index + edge.length + 1) : before(text, index)));
  return found;
}

function behind(text: string, start: number): Span[] {
  const found: Span[] = [];
  for (let at = start; at < text.length;) {
    const line = lineAt(text, at);
    const body = bodyOf(line, at);
    if (body) found.push(body);
    else if (found.length > 0 || !HEADER.test(line)) break;
    at += line.length + 1;
  }
  return found;
}

function before(text: string, edge: number): Span[] {
  const found: Span[] = [];
  let next = text.lastIndexOf('\n', edge - 1) + 1;
  while (next > 0) {
    const at = next < 2 ? 0 : text.lastIndexOf('\n', next - 2) + 1;
    const body = bodyOf(text.slice(at, next - 1), at, found.length === 0 ? 1 : LEAST);
    if (!body) break;
    found.push(body);
    next = at;
  }
  return found;
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(at, end < 0 ? text.length : end);
}

function bodyOf(line: string, at: number, least = LEAST): Span | undefined {
  const [, indent = '', body = ''] = BODY.exec(line) ?? [];
  const from = at + indent.length;
  return body.length >= least && body !== '' ? { from, to: from + body.length } : undefined;
}
