/**
 * The tail of an output, as notices and tools show it.
 *
 *   raw ──readable──▶ ──redacted──▶ ──trimmed──▶ excerpt
 *
 *   1. In this order: a secret split by terminal codes or cut in half is no longer recognised.
 *   2. Lines are whole, but for one that alone is longer than all that may be shown.
 *   3. Where something before the excerpt is missing, it says so.
 */
import type { Excerpt } from '../../contract/notice.js';
import { readable } from './text.js';

export type ExcerptLimits = { readonly lines: number; readonly characters: number };

export const EXCERPT_LIMITS: ExcerptLimits = { lines: 20, characters: 3_000 };

/** From output as the process wrote it. `headless` says that `raw` itself is only the end of it. */
export function excerptOfOutput(
  raw: string,
  redact: (text: string) => string,
  limits: ExcerptLimits = EXCERPT_LIMITS,
  headless = false,
): Excerpt {
  return excerptOf(redact(readable(raw)), limits, headless);
}

/** From text that is readable and redacted already. */
export function excerptOf(text: string, limits: ExcerptLimits = EXCERPT_LIMITS, headless = false): Excerpt {
  const all = withoutBlankEnd(text.split('\n'));
  // What came before the first line of a headless text may have been half a secret, so this line is not shown.
  const known = headless && all.length > 1 ? all.slice(1) : all;
  const shown = fitting(known.slice(-limits.lines), limits.characters);
  const whole = shown.length === all.length && shown[0] === all[0];
  return { text: shown.join('\n'), cut: headless || !whole, lines: shown.length };
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

/** As many of the last lines as fit; of a last line that does not fit, its end. */
function fitting(lines: readonly string[], characters: number): readonly string[] {
  const shown: string[] = [];
  let room = characters;
  for (const line of lines.toReversed()) {
    if (line.length > room) break;
    shown.unshift(line);
    room -= line.length + 1;
  }
  const last = lines.at(-1);
  return shown.length > 0 || last === undefined ? shown : [endOf(last, characters)];
}

/** Never begins with half a character. */
const endOf = (line: string, characters: number): string =>
  characters > 0 ? line.slice(-characters).replace(/^[\udc00-\udfff]/, '') : '';

export { shortened } from '../../contract/display.js';
