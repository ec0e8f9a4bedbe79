/** Facts in words, the same wherever they are read: in a table, in a notice, on a page. */
import type { End } from './process.js';

/**
 * Characters that are not seen, or that change how others are seen: zero-width, bidirectional, fillers, variation
 * selectors, tags, interlinear notes. Text can hide in them, and from them.
 */
export const HIDDEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Half a character becomes U+FFFD: two halves could join to a hidden one when what stands between them is taken out. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** Spaces that only look like one, and other signs that a reader takes for nothing. */
const DECEPTIVE =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\p{Surrogate}\p{Private_Use}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/**
 * For text that a person approves: all of it, as it is. Lines and tabs stay; every other character that is not seen, or
 * that changes how others are seen, is named where it stands.
 */
export const unhidden = (text: string): string =>
  text.replace(DECEPTIVE, (sign) => `‹U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`);

/** For names and commands that stand in a table or a sentence: one line, nothing that moves a cursor or hides. */
export const printable = (text: string): string =>
  wellFormed(text)
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replace(HIDDEN, '')
    .trim();

/** `exit 3`, `SIGKILL by limit of 5000 ms`, `lost: the machine was restarted`. */
export function endInWords(end: End): string {
  switch (end.kind) {
    case 'exited':
      return `exit ${end.code}`;
    case 'signalled':
      return end.by ? `${printable(end.signal)} by ${printable(end.by)}` : printable(end.signal);
    case 'lost':
      return `lost: ${printable(end.why)}`;
  }
}

/** The two largest units: `4m 10s`, `2h 5m`; below ten seconds with a tenth. */
export function durationInWords(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}s`;
  if (whole < 3_600) return two(Math.floor(whole / 60), 'm', whole % 60, 's');
  if (whole < 86_400) return two(Math.floor(whole / 3_600), 'h', Math.floor((whole % 3_600) / 60), 'm');
  return two(Math.floor(whole / 86_400), 'd', Math.floor((whole % 86_400) / 3_600), 'h');
}

const two = (large: number, unit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large}${unit}` : `${large}${unit} ${small}${smallUnit}`;

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `0 B`, `912 B`, `1.4 kB`, `23 MB`. */
export function bytesInWords(bytes: number): string {
  const step = UNITS.findIndex((_, index) => bytes < 999.5 * 1_000 ** index);
  const unit = step < 0 ? UNITS.length - 1 : step;
  const size = bytes / 1_000 ** unit;
  return `${unit > 0 && size < 9.95 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}

/** The beginning of one line that stands in a sentence, with an ellipsis where some is missing. */
export const shortened = (line: string, characters: number): string =>
  line.length <= characters ? line : `${line.slice(0, characters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
