/** Bytes and terminal text, as people read them. */

/** How many bytes at the end of a chunk are the beginning of a character whose rest has not come yet. */
export function unfinishedCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? back : 0;
    }
  }
  return 0;
}

const ESCAPES = new RegExp(
  [
    '\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\|$)', // OSC: titles, links, clipboard
    '\\u001b[PX^_][\\s\\S]*?(?:\\u001b\\\\|$)', // DCS, SOS, PM, APC
    '[\\u001b\\u009b]\\[?[0-?]*[ -/]*[@-~]', // CSI and two-character escapes
    '\\u001b', // a lone one
  ].join('|'),
  'g',
);

/** Takes terminal codes out; carriage returns that only redraw a line go with what they overwrote. */
export const stripAnsi = (text: string): string =>
  text
    .replace(ESCAPES, '')
    .replace(/\r+\n/g, '\n')
    .replace(/^.*\r(?!\n)(?=.)/gm, '')
    // oxlint-disable-next-line no-control-regex -- what is left of the control characters moves the cursor or rings
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '');

/** For names and commands that stand in a table or a sentence: one line, nothing that moves a cursor or hides. */
export const printable = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .replace(/[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu, '')
    .trim();
