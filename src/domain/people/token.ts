/** Whether a token cannot be guessed and is valid in a header (RFC 6750). */
const SHORTEST = 32;

/** Says why a host must not use it and how to make another; undefined where it is good. `source` names where it stands. */
export function weakness(token: string, source: string): string | undefined {
  if (token.length < SHORTEST)
    return `The token in ${source} has ${token.length} of at least ${SHORTEST} characters. ${REMEDY}`;
  return /^[\w.~+/-]+=*$/.test(token)
    ? undefined
    : `The token in ${source} has characters that are not allowed in a header. ${REMEDY}`;
}

const REMEDY = 'Make one with: openssl rand -hex 32';
