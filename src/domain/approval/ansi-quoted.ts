/** The text of `$'…'`, which can spell any character by its number. */
const ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([^])|([^]))/g;

const NAMED: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

export const ansiDecoded = (text: string): string =>
  text.replace(
    ESCAPE,
    (whole: string, x?: string, u?: string, long?: string, octal?: string, control?: string, one?: string) => {
      const hex = x ?? u ?? long;
      if (hex !== undefined) return character(Number.parseInt(hex, 16));
      if (octal !== undefined) return character(Number.parseInt(octal, 8) & 0xff);
      if (control !== undefined) return character(control.charCodeAt(0) & 0x1f);
      if (one === undefined) return whole;
      return NAMED[one] ?? (/['"\\?]/.test(one) ? one : whole);
    },
  );

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');
