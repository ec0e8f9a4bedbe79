/** What should outlive the page. What is too large for that is still there for as long as the page is. */
export function saveLocally(place: string, text: string): void {
  try {
    localStorage.setItem(place, text);
  } catch {
    // QuotaExceededError
    localStorage.removeItem(place);
  }
}
