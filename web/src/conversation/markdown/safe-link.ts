const ALLOWED = new Set(['http:', 'https:', 'mailto:']);

/** Where a link may lead: to the web and to a mailbox. Anything else is only text. */
export function addressOf(href: string): string | undefined {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  return url && ALLOWED.has(url.protocol) ? url.href : undefined;
}
