/**
 * Secrets that are known by how they begin: the keys of providers and services, JSON Web Tokens.
 *
 *   1. One expression finds all of them, so that a new prefix costs next to nothing. Every alternative begins with a
 *      literal, at the beginning of a word, and what follows it is told apart by one character: the time is linear.
 *   2. What follows the prefix is longer and denser than any word, so that `sk-fading-circle`, `key-value` and
 *      `hf_hub_download` stay.
 */
const WORD = '[A-Za-z0-9_-]';
const DENSE = '[A-Za-z0-9]';
const HEX = '[0-9a-fA-F]';

const TOKENS: readonly string[] = [
  // Models and what belongs to them
  `sk-(?:ant|proj|svcacct|admin|None)-${WORD}{16,}`,
  `sk-or-v1-${HEX}{32,}`,
  `sk-lf-${HEX}{8}-[0-9a-fA-F-]{20,}`,
  `[sr]k-${DENSE}{20,}`,
  `csk-${DENSE}{32,}`,
  `hf_${DENSE}{20,}`,
  `gsk_${DENSE}{20,}`,
  `xai-${DENSE}{20,}`,
  `pplx-${DENSE}{20,}`,
  `r8_${DENSE}{20,}`,
  `tvly-(?:dev-|prod-)?${DENSE}{16,}`,
  `nvapi-${WORD}{40,}`,
  `tgp_v1_${WORD}{30,}`,
  `fw_${DENSE}{20,}`,
  `fc-${HEX}{32}`,
  `e2b_${HEX}{32,}`,
  `lsv2_(?:pt|sk)_[0-9a-f_]{32,}`,
  `pcsk_${DENSE}{4,10}_${DENSE}{40,}`,
  // Code, packages, places to run things
  `gh[pousr]_${DENSE}{20,}`,
  `github_pat_[A-Za-z0-9_]{20,}`,
  `gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas)-${WORD}{16,}`,
  `npm_${DENSE}{30,}`,
  `pypi-(?:AgE${WORD}{16,}|[A-Za-z0-9_]{32,})`,
  `rubygems_${HEX}{32,}`,
  `dckr_(?:pat|oat)_${WORD}{20,}`,
  `AT(?:ATT|CTT)3x?${WORD}{20,}`,
  `do[opr]_v1_${HEX}{32,}`,
  `dapi${HEX}{32}`,
  `dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{20,}`,
  `hv[sbr]\\.${WORD}{20,}`,
  `fo1_${WORD}{30,}`,
  `fm[12][ar]?_[A-Za-z0-9+/=,_-]{60,}`,
  `vc[aikpr]_${DENSE}{20,}`,
  `vercel_blob_rw_[A-Za-z0-9_]{20,}`,
  `pul-${HEX}{40}`,
  `pscale_(?:tkn|pw|oauth)_${WORD}{20,}`,
  `sbp_(?:v0_)?${HEX}{32,}`,
  `sb_secret_${WORD}{20,}`,
  `tskey-(?:auth|api|client|webhook|scim)-${WORD}{16,}`,
  `v1\\.0-${HEX}{24}-${HEX}{100,}`,
  `cf(?:at|ut|k)_${DENSE}{32,}`,
  `AGE-SECRET-KEY-1[0-9A-Z]{40,}`,
  // Clouds
  `A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
  `AIza${WORD}{30,}`,
  `ya29\\.${WORD}{20,}`,
  `GOCSPX-${WORD}{20,}`,
  `LTAI${DENSE}{16,}`,
  // Payment, mail, chat, and other services
  `[sr]k_(?:live|test|prod)_${DENSE}{16,}`,
  `sk_${HEX}{40,}`,
  `whsec_[A-Za-z0-9+/=_-]{16,}`,
  `sq0[a-z]{3}-${WORD}{20,}`,
  `EAAA${WORD}{56,}`,
  `shp(?:at|ca|pa|ss)_${HEX}{32}`,
  `SG\\.${WORD}{10,}\\.${WORD}{10,}`,
  `SK[0-9a-f]{32}(?![A-Za-z0-9])`,
  `key-[0-9a-f]{32}(?![A-Za-z0-9])`,
  `re_${DENSE}{8}_${DENSE}{16,}`,
  `xkeysib-${WORD}{40,}`,
  `xox[abceoprs]-[A-Za-z0-9-]{10,}`,
  `xapp-[0-9]-[A-Za-z0-9-]{16,}`,
  `lin_(?:api|oauth|wh)_${DENSE}{20,}`,
  `ntn_${DENSE}{30,}`,
  `secret_${DENSE}{40,}`,
  `sntry[su]_[A-Za-z0-9+/=_-]{32,}`,
  `gl(?:sa|c)_[A-Za-z0-9+/=_]{32,}`,
  `NRAK-${DENSE}{20,}`,
  `PMAK-${HEX}{24}-${HEX}{30,}`,
  `HRKU-${WORD}{30,}`,
  `fig[dor]_?${WORD}{40,}`,
  `pat${DENSE}{14}\\.${HEX}{64}`,
  // Ours, and those of everybody
  `rouse_${WORD}{32,}`,
  `(?<!-)eyJ${WORD}{8,4000}\\.${WORD}{8,8000}\\.${WORD}{8,}`,
];

const TOKEN = new RegExp(`\\b(?:${TOKENS.join('|')})`, 'g');

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
