/**
 * Takes secrets out of text before it is shown or stored outside the output file.
 *
 *   1. What is found is replaced whole; of a pair, the name stays and the value goes.
 *   2. Redaction comes before trimming: a secret cut in half is no longer recognised.
 *   3. It is a net, not a proof: what looks like any other word is not found.
 */
export const REDACTED = '[redacted]';

const whole: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(?<![A-Za-z0-9_-])(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g,
  /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /(?<![A-Za-z0-9_-])glpat-[A-Za-z0-9_-]{16,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /(?<![A-Za-z0-9_-])xox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bya29\.[A-Za-z0-9_-]{20,}/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,1000}/g,
  /\brouse_[A-Za-z0-9_-]{32,}/g,
];

/** Each keeps its first group and loses the rest. */
const named: readonly RegExp[] = [
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@'"]{0,100}:)[^\s/@'"]{1,500}(?=@)/gi,
  /(\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|basic|token)\s{1,3})[A-Za-z0-9._~+/=-]{8,}/gi,
  /(\bbearer\s{1,3})[A-Za-z0-9._~+/=-]{16,}/gi,
  /((?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]{0,60}?(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|private[_-]?key|_token|_pass|_pwd)["']?(?:\s{0,3}[=:]\s{0,3}|\s{1,3}(?=["']))["']?)(?!\[redacted\])[^\s"'&;,]{4,}/gi,
  /(--(?:[a-z-]{0,30}-)?(?:password|passwd|secret|api-?key|token)[ =]["']?)(?!\[redacted\])[^\s"']{4,}/gi,
];

export type Span = { readonly from: number; readonly to: number };

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
      ...whole.flatMap((pattern) => matches(text, pattern)),
      ...named.flatMap((pattern) => matches(text, pattern)),
    ]);
  return { spans, redact: (text) => without(text, spans(text)) };
}

function occurrences(text: string, value: string): Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
    found.push({ from: at, to: at + value.length });
  return found;
}

const matches = (text: string, pattern: RegExp): Span[] =>
  [...text.matchAll(pattern)].map((match) => ({
    from: match.index + (match[1]?.length ?? 0),
    to: match.index + match[0].length,
  }));

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
