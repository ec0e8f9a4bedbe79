/** Expressions over a part of a line: `^` and `$` hold at the edges of the line and not at those of the part. */

/** Whether a text begins and ends where its line does. */
export type Edges = { readonly begins: boolean; readonly ends: boolean };

/** Matches no character at all. */
const NEVER = '[^\\x00-\\x{10FFFF}]';

/** One token of the engine's syntax: a quotation, an escape, a class of characters, or a single character. */
const TOKEN = /\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\[:\w+:\]|\\[^]|[^\]\\])*\]|[^]/g;

/** The same expression with the anchors of the missing edges replaced by what never matches. */
export const withoutAnchors = (expression: string, { begins, ends }: Edges): string =>
  expression.replaceAll(TOKEN, (token) => {
    const missing = begins ? false : token === '^' || token === '\\A';
    return missing || (!ends && (token === '$' || token === '\\z')) ? NEVER : token;
  });
