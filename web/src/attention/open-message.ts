/** From the service worker to a page: show this address. */
export type OpenMessage = { readonly kind: 'open'; readonly url: string };
