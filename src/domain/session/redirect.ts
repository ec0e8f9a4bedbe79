/** A request that carries a key or a signature goes to the address it was made for, and to no other. */

/** What is needed of an answer. */
type Answer = { readonly status: number; readonly headers: { get(name: string): string | null } };

/** For a request that was made with `redirect: 'manual'`: why its answer is none, if it sends us elsewhere. */
export function redirected({ status, headers }: Answer): string | undefined {
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  if (location === null) return undefined;
  // The rest of an address may hold a secret.
  const [address = ''] = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#@\s]{1,200}(?=[/?#]|$)/i.exec(location) ?? [];
  const where = address === '' ? 'another address' : address;
  return `it redirects to ${where} (status ${status}), and redirects are not followed. Configure the final address.`;
}
