/**
 * Cuts a text into blocks (paragraphs, lists, code …), each of which is read by itself and only when it has changed.
 *
 * A growing text is cut anew from its last two blocks on: what stands before them does not change any more. A text that
 * is whole is cut whole, so that it looks the same however it came.
 */
import { Lexer, type Token, type Tokens } from 'marked';

export type Blocks = { readonly text: string; readonly raws: readonly string[] };

const OPTIONS = { gfm: true } as const;

/** Some texts, which nobody writes but to stop a page, take the square of their length to read. */
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
    // A token is as long as what it stands for, but may end in another kind of space.
    const written = text.slice(at, (at += raw.length));
    // Empty lines belong to what stands before them: whether it goes on behind them is not decided yet.
    if (type === 'space' && raws.length > 0) raws[raws.length - 1] += written;
    else raws.push(written);
  }
  return raws;
}

/** What a block holds; nothing when it is better shown as it stands. */
export function tokensOf(raw: string): readonly Token[] | undefined {
  const isCode = /^ {0,3}(?:```|~~~)/.test(raw);
  if (DEEP.test(raw) || (raw.length > LONGEST_BLOCK && !isCode)) return undefined;
  return new Careful(OPTIONS).lex(raw);
}

/** Leaves very long runs of words unread: they are shown as they stand. */
class Careful extends Lexer {
  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src.length <= LONGEST_RUN) return super.inlineTokens(src, tokens);
    tokens.push({ type: 'text', raw: src, text: src, escaped: false } satisfies Tokens.Text);
    return tokens;
  }
}
