const ALLOWED = new Set(['http:', 'https:', 'mailto:']);

/** Links may lead to the web or to a mail address. Everything else is shown as text. */
export function addressOf(href: string): string | undefined {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  return url && ALLOWED.has(url.protocol) ? url.href : undefined;
}
