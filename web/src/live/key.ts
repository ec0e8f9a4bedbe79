/**
 * The key of this browser, without which its cookie is worthless. It is in the storage of this origin: unlike a cookie,
 * it is never sent to a server on another port of the same address.
 */
const NAME = 'rouse key';

/** For a browser without storage: lasts as long as the page. */
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
