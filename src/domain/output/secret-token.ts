/**
 * Secrets that are known by how they begin: the keys of providers and services, JSON Web Tokens.
 *
 *   1. One expression finds all of them, so that a new prefix costs next to nothing. Every alternative begins with a
 *      literal, at the beginning of a word, and one character decides what follows it: the time is linear.
 *   2. What follows the prefix is longer and denser than any word, so that `sk-fading-circle`, `key-value` and
 *      `hf_hub_download` stay.
 */
const WORD = '[A-Za-z0-9_-]';
const DENSE = '[A-Za-z0-9]';
const HEX = '[0-9a-fA-F]';

/** What follows a prefix, and the prefixes of the providers and services whose keys look so. */
const FAMILIES: readonly (readonly [rest: string, prefixes: string])[] = [
  [`${DENSE}{16,}`, 'tvly-(?:dev-|prod-)? LTAI [sr]k_(?:live|test|prod)_'],
  [`${DENSE}{20,}`, '[sr]k- hf_ gsk_ xai- pplx- r8_ fw_ gh[pousr]_ vc[aikpr]_ lin_(?:api|oauth|wh)_ NRAK-'],
  [`${DENSE}{30,}`, 'npm_ ntn_'],
  [`${DENSE}{32,}`, 'csk- cf(?:at|ut|k)_'],
  [`${DENSE}{40,}`, `secret_ pcsk_${DENSE}{4,10}_`],
  [`${WORD}{16,}`, 'sk-(?:ant|proj|svcacct|admin|None)- gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas)- pypi-AgE'],
  [`${WORD}{16,}`, 'tskey-(?:auth|api|client|webhook|scim)-'],
  [`${WORD}{20,}`, 'dckr_(?:pat|oat)_ AT(?:ATT|CTT)3x? hv[sbr]\\. pscale_(?:tkn|pw|oauth)_ sb_secret_ ya29\\. GOCSPX-'],
  [`${WORD}{20,}`, 'sq0[a-z]{3}-'],
  [`${WORD}{30,}`, 'tgp_v1_ fo1_ AIza HRKU-'],
  [`${WORD}{32,}`, 'rouse_'],
  [`${WORD}{40,}`, 'nvapi- xkeysib- fig[dor]_?'],
  [`${WORD}{56,}`, 'EAAA'],
  ['[A-Za-z0-9_]{20,}', 'github_pat_ vercel_blob_rw_'],
  ['[A-Za-z0-9_]{32,}', 'pypi-'],
  ['[A-Za-z0-9-]{10,}', 'xox[abceoprs]-'],
  ['[A-Za-z0-9-]{16,}', 'xapp-[0-9]-'],
  ['[A-Za-z0-9+/=_-]{16,}', 'whsec_'],
  ['[A-Za-z0-9+/=_-]{32,}', 'sntry[su]_'],
  ['[A-Za-z0-9+/=_]{32,}', 'gl(?:sa|c)_'],
  ['[A-Za-z0-9+/=,_-]{60,}', 'fm[12][ar]?_'],
  ['[A-Za-z0-9._-]{20,}', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.'],
  ['[0-9A-Z]{40,}', 'AGE-SECRET-KEY-1'],
  ['[0-9a-f_]{32,}', 'lsv2_(?:pt|sk)_'],
  ['[0-9a-fA-F-]{20,}', `sk-lf-${HEX}{8}-`],
  [`${HEX}{30,}`, `PMAK-${HEX}{24}-`],
  [`${HEX}{32}`, 'fc- dapi shp(?:at|ca|pa|ss)_'],
  [`${HEX}{32,}`, 'sk-or-v1- e2b_ rubygems_ do[opr]_v1_ sbp_(?:v0_)?'],
  [`${HEX}{40}`, 'pul-'],
  [`${HEX}{40,}`, 'sk_'],
  [`${HEX}{64}`, `pat${DENSE}{14}\\.`],
  [`${HEX}{100,}`, `v1\\.0-${HEX}{24}-`],
  ['[0-9a-f]{32}(?![A-Za-z0-9])', 'SK key-'],
  ['[A-Z0-9]{16}(?![A-Za-z0-9])', 'A(?:KIA|SIA|BIA|CCA)'],
  [`${DENSE}{8}_${DENSE}{16,}`, 're_'],
  [`${WORD}{10,}\\.${WORD}{10,}`, 'SG\\.'],
  [`${WORD}{8,4000}\\.${WORD}{8,8000}\\.${WORD}{8,}`, '(?<!-)eyJ'],
];

const ALTERNATIVES = FAMILIES.map(([rest, prefixes]) => `(?:${prefixes.replaceAll(' ', '|')})${rest}`);
const TOKEN = new RegExp(`\\b(?:${ALTERNATIVES.join('|')})`, 'g');

/** Those that do not begin with a prefix of their own; each keeps its first group. */
const PLACED: readonly RegExp[] = [
  // A bot of Telegram, also inside the address that it is called by
  /(:(?<=(?<![0-9])[0-9]{8,10}:))AA[A-Za-z0-9_-]{32,36}(?![A-Za-z0-9_-])/g,
  /(\bhooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{16,}/g,
  /(\bdiscord(?:app)?\.com\/api\/(?:v[0-9]{1,2}\/)?webhooks\/[0-9]{10,25}\/)[A-Za-z0-9_-]{16,}/g,
  /(\bwebhook\.office\.com\/webhookb2\/)[A-Za-z0-9@/_-]{32,}/g,
  // A secret of an application at Azure
  /(?<![A-Za-z0-9_~.-])()[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}/g,
];

export type Span = { readonly from: number; readonly to: number };

export function tokensIn(text: string): Span[] {
  return [TOKEN, ...PLACED].flatMap((pattern) =>
    [...text.matchAll(pattern)]
      // A dash before it belongs to the same word: `disk-…`, `x-key-…`. Asked here because it is faster than in each place.
      .filter(({ index }) => text[index - 1] !== '-')
      .map(({ index, 0: whole, 1: kept = '' }) => ({ from: index + kept.length, to: index + whole.length })),
  );
}
