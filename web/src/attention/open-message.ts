/** What the service worker says to a page: a person wants to see this there. */
export type OpenMessage = { readonly kind: 'open'; readonly url: string };
