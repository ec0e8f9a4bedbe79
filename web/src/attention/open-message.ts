/** What the service worker says to a page: a person wants to see this there. */
export type Called = { readonly kind: 'called'; readonly url: string };
