/** Redirections, and the here-documents that belong to them. */
import {
  deeper,
  fail,
  spend,
  taken,
  type Cursor,
  type HereDocument,
  type Redirect,
  type Word,
} from './shell-cursor.js';
import { BLANK, within, type Reading } from './shell-reading.js';
import { readBody, readWords } from './shell-words.js';

export function readRedirect(reading: Reading, operator: string): void {
  const { cursor } = reading;
  taken(cursor, BLANK);
  const began = cursor.at;
  const isHere = operator === '<<' || operator === '<<-';
  const targets = isHere ? [readDelimiter(cursor)] : readWords(cursor);
  for (const target of targets) {
    const redirect: Redirect = { operator, target, ...(operator === '<<<' && { body: target }) };
    reading.redirects.push(redirect);
    const quoted = /['"\\]/.test(cursor.source.slice(began, cursor.at));
    if (isHere) cursor.hereDocuments.push({ redirect, quoted, strips: operator === '<<-' });
  }
}

/** Nothing is expanded in a delimiter. */
function readDelimiter(cursor: Cursor): Word {
  const raw = taken(cursor, /(?:\\[^]|'[^']*'|"[^"]*"|[^\s;&|()<>'"\\])+/y)?.[0] ?? '';
  if (raw === '' || /[$`]/.test(raw)) fail(cursor, 'the end of a here-document cannot be told', raw === '');
  return { text: raw.replace(/\\([^])|['"]/g, '$1'), splits: false };
}

export function readHereDocuments({ cursor }: Reading): void {
  for (const document of cursor.hereDocuments.splice(0)) {
    const text = bodyOf(cursor, document);
    if (document.quoted) document.redirect.body = { text, splits: false };
    else if (spend(cursor, Math.ceil(text.length / 8))) {
      const inner = within(cursor, text);
      deeper(inner, () => void (document.redirect.body = readBody(inner)));
      if (inner.problem) fail(cursor, inner.problem.why, false);
    }
  }
}

function bodyOf(cursor: Cursor, { redirect, strips }: HereDocument): string {
  const lines: string[] = [];
  while (cursor.at < cursor.source.length && spend(cursor, 1)) {
    const end = cursor.source.indexOf('\n', cursor.at);
    const raw = cursor.source.slice(cursor.at, end < 0 ? undefined : end);
    cursor.at = end < 0 ? cursor.source.length : end + 1;
    const line = strips ? raw.replace(/^\t+/, '') : raw;
    if (line === redirect.target.text) return lines.join('');
    lines.push(`${line}\n`);
  }
  fail(cursor, 'a here-document is not closed', true);
  return lines.join('');
}
