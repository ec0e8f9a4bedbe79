/**
 * The key of this browser, without which its cookie opens nothing. It is kept in the storage of this origin: unlike a
 * cookie, a server on another port of the same address never receives it.
 */
const NAME = 'rouse key';

/** Only as long as the page where the browser lets it keep nothing. */
let unkept: string | undefined;

export function browserKey(): string | undefined {
  try {
    return localStorage.getItem(NAME) ?? unkept;
  } catch {
    // SecurityError
    return unkept;
  }
}

export function keepBrowserKey(key: string): void {
  unkept = key;
  try {
    localStorage.setItem(NAME, key);
  } catch {
    // SecurityError, QuotaExceededError
  }
}

export const newBrowserKey = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
