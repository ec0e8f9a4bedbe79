/**
 * The lines of an output that hold a pattern, as its bytes come in.
 *
 *   … whole lines, scanned where they lie │ the last one, not whole yet: kept, and joined with what comes next
 *                                         └ mark
 *
 *   1. However the bytes are cut into reads, the same lines are found.
 *   2. A line is found once: one that was told of while it was unfinished is not told of when it is whole, nor after
 *      a restart from the mark.
 *   3. What is told is readable, redacted and then cut, in this order.
 */
import { shortened } from '../output/excerpt.js';
import { wholeLines } from '../output/lines.js';
import type { Matcher } from './matcher.js';
import { readable } from '../output/text.js';
import { UnfinishedLine, type ScanMark, type Tell } from './unfinished-line.js';
import { decode } from '../output/utf8.js';
import type { Found, Match } from './watch.js';

export const beginning: ScanMark = { position: 0, line: 0, reported: false };

/** Two findings, one behind the other, as one. */
export function joined(before: Found | undefined, after: Found | undefined): Found | undefined {
  if (!before || !after) return before ?? after;
  return { match: before.match, more: before.more + 1 + after.more, last: after.last ?? after.match };
}

export class LineScan {
  readonly #matcher: Matcher;
  readonly #redact: (text: string) => string;
  readonly #last: UnfinishedLine;

  constructor(matcher: Matcher, mark: ScanMark, redact: (text: string) => string) {
    this.#matcher = matcher;
    this.#redact = redact;
    this.#last = new UnfinishedLine(matcher, mark);
  }

  /** All before it is decided: store it together with what became of the matches. */
  get mark(): ScanMark {
    return this.#last.mark;
  }

  /** Takes the next bytes. Where they do not follow the last ones (some were released), a line begins with them. */
  feed(bytes: Uint8Array, offset: number): Found | undefined {
    if (bytes.length === 0) return undefined;
    return this.#findings((tell) => {
      if (offset !== this.#last.end) this.#last.skipTo(offset, tell);
      const from = this.#last.finish(bytes, tell);
      if (from === undefined) return;
      const to = wholeLines(bytes, from);
      this.#matcher.scan(bytes, from, to, (hit) =>
        tell(hit.pattern, offset + hit.line, () => bytes.subarray(hit.from, hit.to)),
      );
      this.#last.begin(offset + to);
      this.#last.add(bytes.subarray(to), tell);
    });
  }

  /** Asks about the last line although it is not whole: a prompt, or a bar that stands still. */
  partial(): Found | undefined {
    return this.#findings((tell) => this.#last.partial(tell));
  }

  /** The output ends at this offset, and with it its last line; what lies before it and was not fed is gone. */
  close(size: number): Found | undefined {
    return this.#findings((tell) => {
      if (size > this.#last.end) this.#last.skipTo(size, tell);
      this.#last.close(tell);
    });
  }

  #findings(look: (tell: Tell) => void): Found | undefined {
    let first: Told | undefined;
    let last: Told | undefined;
    let lines = 0;
    look((pattern, number, piece) => {
      lines += 1;
      last = { pattern, number, piece };
      first ??= last;
    });
    if (!first || !last) return undefined;
    return { match: this.#match(first), more: lines - 1, ...(lines > 1 && { last: this.#match(last) }) };
  }

  #match({ pattern, number, piece }: Told): Match {
    return { pattern, text: excerpt(this.#redact(readable(decode(piece()))), pattern), number };
  }
}

type Told = { readonly pattern: string; readonly number: number; readonly piece: () => Uint8Array };

const CHARACTERS = 2_000;
const LEAD = 200;

/** The beginning of the line or, where its pattern stands too far behind, the part around it. */
function excerpt(text: string, pattern: string): string {
  const at = text.indexOf(pattern);
  return at + pattern.length < CHARACTERS
    ? shortened(text, CHARACTERS)
    : shortened(`…${text.slice(Math.max(0, at - LEAD)).replace(/^[\udc00-\udfff]/, '')}`, CHARACTERS);
}
