/**
 * Secrets that are known by what stands before them: `PASSWORD=…`, `"apiKey": "…"`, `--token …`, `Cookie: …`,
 * `user:password@host`, `curl -u me:…`.
 *
 *   text ──hint──▶ line ──rules of the hint──▶ value ──▶ would a person call it a secret? (`secret-likeness`)
 *
 *   1. The name stays and the value goes.
 *   2. A rule sees one line: `Enter password:` and the line behind it are two things.
 *   3. Few lines hold a hint, so most of a text is passed over once for each hint and never looked at again.
 *   4. Every repetition is bounded, and what follows it is told apart by one character: the time is linear.
 */
import { isCredential, isFilledIn, isSecretKey, isSecretPassword, type Written } from './secret-likeness.js';
import type { Span } from './secret-token.js';

type Judge = (value: string, written: Written, name: string) => boolean;
type Rule = (line: string) => readonly Span[];
type Group = { readonly hint: RegExp; readonly rules: readonly Rule[] };

const LONGEST_NAME = 30;
/** A quoted value goes up to its quote, another one up to a blank or to what ends a value in a shell or an address. */
const VALUE = String.raw`(\\?["'\x60]|)((?<=["'\x60])[^"'\x60\r]{1,4000}|[^ \t\r"'\x60&;,|]{1,4000})`;
const SEPARATOR = String.raw`\\?["'\x60]?\]?[ \t]{0,3}(?::=|=>|[:=])[ \t]{0,3}`;
const PASSWORD = String.raw`passw(?:or)?d|passphrase|passcode|pwd`;
const KEY = String.raw`(?:api|access|private|secret|account|signing|encryption|auth|master|service|subscription|storage|admin|role)[_-]?key(?:_?base)?`;

/** What stands before the value is the first group, the mark that opens it the second, the value the third. */
const rule =
  (pattern: RegExp, isSecret: Judge): Rule =>
  (line) => {
    const found: Span[] = [];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(line); match; match = pattern.exec(line)) {
      const { index, 1: before = '', 2: mark = '', 3: rest = '' } = match;
      const value = mark === '' ? withoutClosers(rest) : rest.replace(/\\$/, '');
      const from = index + before.length + mark.length;
      const name = (/[\w.-]*$/.exec(line.slice(Math.max(0, index - LONGEST_NAME), index))?.[0] ?? '') + before;
      if (isSecret(value, { quoted: mark !== '', glued: /[^ \t]=$/.test(before) }, name))
        found.push({ from, to: from + value.length });
      // What is no secret may hold the name of one: `token: api_key=…`.
      else pattern.lastIndex = from;
    }
    return found;
  };

const after = (before: string, flags = 'gi'): RegExp => new RegExp(`(${before})${VALUE}`, flags);
const program = (before: string): Rule => rule(after(before, 'g'), isFilledIn);

/** Of cookies each value goes; what a cookie says about itself (`Path=/`) stays. */
const COOKIES = /\b((?:set-)?cookie)["']?[ \t]{0,3}:[ \t]{0,3}["']?([^"'\r]{3,8000})/gi;
const PAIR = /(?:^|;)([ \t]{0,3}[\w.$!#%&*+^|~-]{1,200}=)([^;]{1,4000})/g;
const ABOUT_ITSELF = /^[ \t]*(?:path|domain|expires|max-age|samesite|priority)=/i;

function cookies(line: string): readonly Span[] {
  const found: Span[] = [];
  for (const { index, 0: whole, 1: header = '', 2: list = '' } of line.matchAll(COOKIES)) {
    const start = index + whole.length - list.length;
    const pairs = [...list.matchAll(PAIR)].slice(0, header.length > 'cookie'.length ? 1 : undefined);
    for (const { index: at, 0: pair, 1: name = '', 2: value = '' } of pairs) {
      const from = start + at + pair.length - value.length;
      if (isFilledIn(value) && !ABOUT_ITSELF.test(name)) found.push({ from, to: from + value.trimEnd().length });
    }
  }
  return found;
}

const GROUPS: readonly Group[] = [
  {
    hint: new RegExp(`(?:${PASSWORD}|pass|secret|token|key(?:_?base)?)[0-9]{0,2}(?:${SEPARATOR}|>)`, 'gi'),
    rules: [
      rule(after(`(?:${PASSWORD}|(?<=[_-])pass)[0-9]{0,2}${SEPARATOR}`), isSecretPassword),
      rule(after(`(?:secret|token|${KEY})[0-9]{0,2}${SEPARATOR}`), isSecretKey),
      rule(/(<[\w.:-]{0,40}(?:password|passwd|pwd|secret|token|api_?key)>)()([^<\r]{1,4000})/gi, isCredential),
    ],
  },
  {
    hint: /--[a-z-]{0,60}(?:pass|password|passwd|passphrase|secret|key|token)[ \t]/gi,
    rules: [
      rule(after(String.raw`--(?:[a-z]{1,20}-){0,3}(?:pass|${PASSWORD})[ \t]{1,3}`), isSecretPassword),
      rule(after(String.raw`--(?:[a-z]{1,20}-){0,3}(?:secret|api-?key|token)[ \t]{1,3}`), isSecretKey),
    ],
  },
  {
    hint: /:\/\/[^ \t\r\n/@]{1,800}@|[?&][a-z-]{0,12}sig(?:nature)?=/gi,
    rules: [
      rule(/(\b:\/\/[^ \t\r/:@'"`]{0,200}:)()([^ \t\r/'"`]{1,500})(?=@)/g, isFilledIn),
      rule(/(\b:\/\/)()([\w-]{20,500})(?=@)/g, isCredential),
      rule(after('[?&](?:sig|signature|x-amz-signature|x-goog-signature)='), isCredential),
    ],
  },
  {
    hint: /authorization|bearer[ \t]|cookie|curl[ \t]|mysql|sshpass|redis-cli|docker login|machine |identified by|password[ \t]{1,3}'/gi,
    rules: [
      rule(
        after(String.raw`\bauthorization${SEPARATOR}["']?(?:(?:bearer|basic|token|apikey|key)[ \t]{1,3})?`),
        isCredential,
      ),
      rule(after(String.raw`\bbearer[ \t]{1,3}`), isCredential),
      cookies,
      program(String.raw`\bcurl\b[^|;&]{0,400}?[ \t](?:-u|-U|--user|--proxy-user)[ =]?["']?[^ \t\r:"'\x60]{1,100}:`),
      program(String.raw`\b(?:mysql(?:dump|admin|import)?|sshpass)\b[^|;&]{0,400}?[ \t]-p`),
      program(String.raw`\b(?:redis-cli|docker login|sshpass)\b[^|;&]{0,400}?[ \t]-[ap][ \t]{1,3}`),
      program(String.raw`\bmachine [^ \t\r]{1,200} login [^ \t\r]{1,100} password `),
      rule(after(String.raw`\b(?:user|role)\b[^;]{0,200}?\b(?:password|identified by)[ \t]{1,3}(?=')`), isFilledIn),
    ],
  },
];

export const valuesIn = (text: string): Span[] => GROUPS.flatMap((group) => foundBy(group, text));

function foundBy({ hint, rules }: Group, text: string): Span[] {
  const found: Span[] = [];
  hint.lastIndex = 0;
  for (let hit = hint.exec(text); hit; hit = hint.exec(text)) {
    const start = text.lastIndexOf('\n', hit.index) + 1;
    const end = endOfLine(text, hit.index);
    const line = text.slice(start, end);
    for (const spansIn of rules)
      for (const { from, to } of spansIn(line)) found.push({ from: start + from, to: start + to });
    hint.lastIndex = end;
  }
  return found;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** `{token=abc}`: what closes around a value is no part of it. */
function withoutClosers(value: string): string {
  let end = value.length;
  while (')]}>'.includes(value[end - 1] ?? ' ')) end--;
  return value.slice(0, end);
}
