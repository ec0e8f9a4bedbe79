/**
 * Splits a text into blocks (paragraphs, lists, code …). Each is parsed separately, and only when it changes.
 *
 * A streaming text is split again from its last two blocks on; earlier blocks no longer change. A complete text is
 * split as a whole, so that it looks the same however it arrived.
 */
import { Lexer, type Token, type Tokens } from 'marked';

export type Blocks = { readonly text: string; readonly raws: readonly string[] };

const OPTIONS = { gfm: true } as const;

/** Limits against hostile texts whose parsing takes quadratic time. */
const LONGEST_RUN = 4_000;
const LONGEST_BLOCK = 20_000;
const DEEP = /^(?:[ \t]*>){32}/m;
const HELD_BACK = 2;

export function blocksOf(text: string, before?: Blocks): Blocks {
  const known = before && before.raws.length > HELD_BACK && text.startsWith(before.text) ? before : undefined;
  const kept = known?.raws.slice(0, -HELD_BACK) ?? [];
  const at = kept.reduce((sum, raw) => sum + raw.length, 0);
  return { text, raws: [...kept, ...cut(text.slice(at))] };
}

function cut(text: string): readonly string[] {
  if (DEEP.test(text)) return [text];
  const raws: string[] = [];
  let at = 0;
  for (const { type, raw } of new Lexer(OPTIONS).blockTokens(text)) {
    // A token has the length of its source, but may end in different white space.
    const written = text.slice(at, (at += raw.length));
    // Empty lines belong to the block before them, which may still continue.
    if (type === 'space' && raws.length > 0) raws[raws.length - 1] += written;
    else raws.push(written);
  }
  return raws;
}

/** The tokens of a block; undefined if it is better shown as plain text. */
export function tokensOf(raw: string): readonly Token[] | undefined {
  const isCode = /^ {0,3}(?:```|~~~)/.test(raw);
  if (DEEP.test(raw) || (raw.length > LONGEST_BLOCK && !isCode)) return undefined;
  return new Careful(OPTIONS).lex(raw);
}

/** Shows very long inline text as plain text. */
class Careful extends Lexer {
  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src.length <= LONGEST_RUN) return super.inlineTokens(src, tokens);
    tokens.push({ type: 'text', raw: src, text: src, escaped: false } satisfies Tokens.Text);
    return tokens;
  }
}
