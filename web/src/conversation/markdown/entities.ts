/** Character entities, by name or number. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  copy: '©',
  times: '×',
  rarr: '→',
  larr: '←',
};

const WRITTEN = /&(?:#(?<decimal>\d{1,7})|#x(?<hex>[\da-f]{1,6})|(?<name>[a-z]{2,8}));/gi;

export const withSigns = (text: string): string =>
  text.replace(WRITTEN, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name) return NAMED[name] ?? whole;
    return sign(decimal ? Number(decimal) : Number.parseInt(hex ?? '0', 16));
  });

const sign = (point: number): string => (point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd');
