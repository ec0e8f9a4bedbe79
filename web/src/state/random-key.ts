/** A name that nobody else has. The browser's own way to make one is missing where a page comes by plain http. */
export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
