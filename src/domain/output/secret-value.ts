/**
 * Secrets that are known by what stands before them: `PASSWORD=…`, `"apiKey": "…"`, `--token …`, `Cookie: …`,
 * `user:password@host`, `curl -u me:…`.
 *
 *   text ──hint──▶ line ──rules of the hint──▶ value ──▶ would a person call it a secret?
 *
 *   1. The name stays and the value goes.
 *   2. A rule sees one line: `Enter password:` and the line behind it are two things.
 *   3. Few lines hold a hint, so most of a text is searched once for each hint and skipped.
 *   4. Every repetition is bounded, and one character decides what follows it: the time is linear.
 *
 * What is not a secret:
 *
 *   5. A stand-in for a value: `<token>`, `$TOKEN`, `{{ token }}`, `****`, `your-key-here`, `process.env.KEY`.
 *   6. An ordinary word where prose is likely: `password: must be at least 8`, `secret: false`. Where prose is unlikely,
 *      a person may have chosen a word: `PASSWORD=swordfish`. What a machine made has digits in it, or is long and mixed.
 */
import type { Span } from './secret-token.js';

export const REDACTED = '[redacted]';

/** `glued`: the value follows an equals sign without a blank, as in a shell or an address. */
type Written = { readonly quoted: boolean; readonly glued: boolean };

const LONGEST_STAND_IN = 100;
const STANDS_FOR_A_VALUE = [
  /^[$%@#:][A-Za-z_({[][^ ]*$/, // $TOKEN ${TOKEN} $(pass show) %TOKEN% %(token)s @file #{token}
  /^\$[0-9@*?]?$/,
  /^[<{[(]/, // <token> {{ token }} [TOKEN]
  /^:?([*.•xX_?#-])\1*$/, // **** ... xxxx
  /^--?[a-z]/i, // the next option
  /^\.{2,}|\.{3}$|…|\$\{/,
  /^(?:your|my|some|the|an?|new|old|example|sample|dummy|fake|test|insert|replace|put|enter)[-_. ]?(?:$|[a-z_.-]*(?:pass|pwd|secret|token|key|here|value)[a-z_.-]*$)/i,
  /^(?:pass|passwd|password|passphrase|pwd|secret|token|api[-_]?key|key|apikey|credential)s?$/i,
  /^https?:\/\//i,
];

const ORDINARY = new Set(
  (
    'null none nil void undefined true false yes no on off string str number int integer bool boolean object array any ' +
    'text bytes buffer float double char varchar required optional missing invalid incorrect wrong correct valid empty ' +
    'blank unset set changed unchanged expired hidden masked disabled enabled default auto automatic stdin prompt ask ' +
    'generated random unknown rejected accepted denied failed failure success stored saved provided given changeme ' +
    'bearer basic digest plain redacted removed omitted filtered weak strong short long same different match mismatch ' +
    'value input output field type name user username email hash hashed encrypted encoded sha1 sha256 sha384 sha512 md5 ' +
    'bcrypt argon2 argon2i argon2id scrypt pbkdf2 base64 hex utf8 utf16 aes128 aes256 rsa2048 rsa4096 ed25519 oauth2 ' +
    'updated created deleted reset verified resolved refreshed revoked loaded read write deprecated supported'
  ).split(' '),
);

/** Neither a stand-in nor something that was redacted before. */
const isFilledIn = (value: string): boolean =>
  value.trim() !== '' &&
  !value.includes(REDACTED) &&
  (value.length > LONGEST_STAND_IN || !STANDS_FOR_A_VALUE.some((form) => form.test(value)));

/** Chosen by a person. */
function isSecretPassword(value: string, { quoted, glued }: Written, name: string): boolean {
  if (value.length < 4 || !isFilledIn(value) || isOrdinary(value) || isPath(value)) return false;
  if (!quoted && isCode(value)) return false;
  if (isForeignWord(value)) return false;
  if (isSentence(value)) return /passphrase/i.test(name) && glued && quoted;
  if (/[-_]pass\b/i.test(name)) return isMixed(value);
  if (isWord(value)) return (quoted || glued) && value.length >= 6 && !/^[A-Z][a-z]+$/.test(value);
  if (isWordy(value) && /pass|pwd|secret|token|key|cred|prompt|field/i.test(value)) return false;
  if (isDate(value)) return false;
  return quoted || glued || (value.length >= 6 && (isMixed(value) || /^[0-9]+$/.test(value)));
}

/** Made by a machine. */
function isSecretKey(value: string, { quoted }: Written, name: string): boolean {
  if (!isFilledIn(value) || isOrdinary(value) || isPath(value) || /[ \t]/.test(value)) return false;
  if (!quoted && isCode(value)) return false;
  if (isDate(value) || /^sha(?:1|256|512)[:-]/.test(value)) return false;
  const compound = /[a-z0-9][_-]?(?:secret|token)|key/i.test(name);
  if (isUuid(value)) return compound;
  return value.length >= (compound ? 8 : 12) && isMachineMade(value);
}

/** Behind `Bearer` and the like, where prose is as likely as a secret. */
function isCredential(value: string): boolean {
  return value.length >= 8 && isFilledIn(value) && /^[A-Za-z0-9._~+/=%:-]+$/.test(value) && isMachineMade(value);
}

const isOrdinary = (value: string): boolean => {
  const bare = value.toLowerCase().replace(/[^a-z0-9]+$/, '');
  return ORDINARY.has(bare) || bare.split(/[-_]/).every((part) => ORDINARY.has(part));
};

const isWord = (value: string): boolean => /^(?:[a-z]+|[A-Z][a-z]+|[A-Z]+)[.,:;!?…]*$/.test(value);

const isForeignWord = (value: string): boolean =>
  /[\u0080-\uffff]/.test(value) && /^[A-Za-z\u0080-\uffff -]*[.,:;!?]*$/.test(value);

const isSentence = (value: string): boolean =>
  /[ \t]/.test(value) && value.split(/[ \t]+/).every((word) => /^[^0-9]*$|^[0-9]{1,3}$/.test(word));

/** Words and small numbers joined as names are: `my-app-tls`, `db.password`, `Uint8Array`, `v1.2.3`. */
const isWordy = (value: string): boolean =>
  value.split(/[-_./:@]/).every((part) => /^(?:[A-Za-z]{0,20}[0-9]{0,3}|[0-9]{1,14})$/.test(part) || isCamelCase(part));

const isCamelCase = (part: string): boolean =>
  /^[a-z]{0,20}(?:[0-9]{0,2}[A-Z]{1,5}[a-z]{1,20}){0,9}[0-9]{0,2}$/.test(part) &&
  part.replace(/[^0-9]/g, '').length <= 2;

/** A call, a lookup or a member: `getenv(…)`, `os.environ[…]`, `config.password`. */
const isCode = (value: string): boolean =>
  /^[A-Za-z_$][\w$.:>-]*[([{<]/.test(value) ||
  /^!?[A-Za-z_$]+(?:[0-9]{1,5}[A-Za-z_$]*)?(?:(?:\.|::|->|\?\.|!\.)[A-Za-z_$]+(?:[0-9]{1,5}[A-Za-z_$]*)?)+!?$/.test(
    value,
  );

const isPath = (value: string): boolean =>
  /^(?:~?\/|\.{1,2}\/|~$|[A-Za-z]:[\\/]|file:)/.test(value) &&
  value.split(/[\\/]/).every((part) => part.length < 24 || isWordy(part));

const isDate = (value: string): boolean => /^[0-9]{4}-[0-9]{2}-[0-9]{2}/.test(value);

const isUuid = (value: string): boolean => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value);

const isHash = (part: string): boolean => /^[0-9a-f]{32,}$/i.test(part);

/** Letters, and something else among or behind them. */
const isMixed = (value: string): boolean => /[A-Za-z]/.test(value) && /[^A-Za-z]/.test(value) && !isProse(value);

const isProse = (value: string): boolean => /^[A-Za-z_$]+(?:[-'’/][A-Za-z_$]+)*[.,:;!?)]*$/.test(value);

function isMachineMade(value: string): boolean {
  if (isHash(value)) return true;
  if (isWordy(value)) return value.length >= 12 && !/[-_./:@]/.test(value) && hasManyTurns(value);
  return /[A-Za-z]/.test(value) && (/[0-9]/.test(value) || (value.length >= 16 && hasManyTurns(value)));
}

/** How often small letters, capitals and figures change places: seldom in words, every other letter where it is random. */
const hasManyTurns = (value: string): boolean =>
  !/^[a-z]*(?:[A-Z][a-z]+)*$/.test(value) &&
  (value.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])/g) ?? []).length * 3 >= value.length;

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

/** `{token=abc}`: what closes around a value is not part of it. The bracket of what was redacted before is. */
function withoutClosers(value: string): string {
  let end = value.length;
  while (')]}>'.includes(value[end - 1] ?? ' ') && !value.endsWith(REDACTED, end)) end--;
  return value.slice(0, end);
}
