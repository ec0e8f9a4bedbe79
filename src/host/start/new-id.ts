import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 80 bits of chance, in letters that are not mistaken for each other. */
export const newId =
  <Id>(shape: { parse(text: string): Id }, prefix: string) =>
  (): Id =>
    shape.parse(prefix + Array.from(randomBytes(16), (byte) => ALPHABET[byte % 32]).join(''));

export const newSecret = (): string => randomBytes(32).toString('base64url');

export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
