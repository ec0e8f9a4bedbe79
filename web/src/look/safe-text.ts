/** Makes foreign text safe to show: no hidden characters, no change of direction, no terminal codes. */
import { HIDDEN, wellFormed } from 'rouse/contract/display';

/** Change the text direction; used to disguise text. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/** Joiners and selectors inside emoji and some scripts; these are kept. */
const JOINED =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])(?:\u200d|\ufe0e|\ufe0f)|(?<=[\u0600-\u0dff])[\u200c\u200d]/gu;

// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

// oxlint-disable-next-line no-control-regex -- as above
const PLAIN = /^[\t\n\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff]*$/;

/** Keeps line breaks, shows direction changes by number, and removes other invisible characters. */
export function safeText(text: string): string {
  if (PLAIN.test(text)) return text;
  const named = wellFormed(text)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(CONTROL, '')
    .replace(TURNING, (sign) => `‹U+${sign.charCodeAt(0).toString(16).toUpperCase()}›`);
  const kept = new Set([...named.matchAll(JOINED)].map(({ index }) => index));
  return named.replace(HIDDEN, (sign, at: number) => (kept.has(at) ? sign : ''));
}

const CODES = new RegExp(
  [
    '\\u001b\\][^\\u0007\\u001b\\n]*(?:\\u0007|\\u001b\\\\)', // titles, links, the clipboard
    '\\u001b[PX^_][^\\u001b\\n]*\\u001b\\\\',
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]', // colours, cursor, screen
    '\\u001b[ -/]*[0-~]',
  ].join('|'),
  'g',
);

/** Output without terminal codes; an overwritten line is shown in its last form. */
export const plainOutput = (output: string): string =>
  safeText(
    output
      .replace(CODES, '')
      .replace(/\r+\n/g, '\n')
      .replace(/^.*\r(?=[^\r\n])/gm, ''),
  );
