/** Stores a text across reloads. A text that is too large lasts only as long as the page. */
export function saveLocally(place: string, text: string): void {
  try {
    localStorage.setItem(place, text);
  } catch {
    // QuotaExceededError
    localStorage.removeItem(place);
  }
}
