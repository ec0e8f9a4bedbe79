/**
 * Would a person call this value a secret? Asked of what stands behind a name such as `password` or `api_key`.
 *
 *   1. What stands for a value is none: `<token>`, `$TOKEN`, `{{ token }}`, `****`, `your-key-here`, `process.env.KEY`.
 *   2. An ordinary word is none where prose is likely: `password: must be at least 8`, `secret: false`.
 *   3. What people choose themselves may be a word where nobody writes prose: `PASSWORD=swordfish`.
 *   4. What machines make has figures among its letters, or is long and mixed.
 */
export const REDACTED = '[redacted]';

/** `glued`: the value follows an equals sign without a blank, as in a shell or an address. */
export type Written = { readonly quoted: boolean; readonly glued: boolean };

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

/** Not what stands for a value, and nothing that was taken out before. */
export const isFilledIn = (value: string): boolean =>
  value.trim() !== '' &&
  !value.includes(REDACTED) &&
  (value.length > LONGEST_STAND_IN || !STANDS_FOR_A_VALUE.some((form) => form.test(value)));

/** What a person has chosen. */
export function isSecretPassword(value: string, { quoted, glued }: Written, name: string): boolean {
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

/** What a machine has made. */
export function isSecretKey(value: string, { quoted }: Written, name: string): boolean {
  if (!isFilledIn(value) || isOrdinary(value) || isPath(value) || /[ \t]/.test(value)) return false;
  if (!quoted && isCode(value)) return false;
  if (isDate(value) || /^sha(?:1|256|512)[:-]/.test(value)) return false;
  const compound = /[a-z0-9][_-]?(?:secret|token)|key/i.test(name);
  if (isUuid(value)) return compound;
  return value.length >= (compound ? 8 : 12) && isMachineMade(value);
}

/** Behind `Bearer` and the like, where prose is as likely as a secret. */
export function isCredential(value: string): boolean {
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
