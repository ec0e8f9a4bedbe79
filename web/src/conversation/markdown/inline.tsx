/** Renders inline tokens. Everything unsupported is shown as written. */
import type { ComponentChildren } from 'preact';
import type { MarkedToken, Token } from 'marked';
import { safeText } from '../../look/safe-text';
import { addressOf } from './safe-link';
import { withSigns } from './entities';

export const inline = (tokens: readonly Token[] | undefined): ComponentChildren =>
  tokens?.map((token) => one(token as MarkedToken));

function one(token: MarkedToken): ComponentChildren {
  switch (token.type) {
    case 'text':
      return token.tokens ? inline(token.tokens) : safeText(withSigns(token.text));
    case 'escape':
      return safeText(token.text);
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>;
    case 'em':
      return <em>{inline(token.tokens)}</em>;
    case 'del':
      return <del>{inline(token.tokens)}</del>;
    case 'codespan':
      return <code>{safeText(token.text)}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link href={token.href}>{inline(token.tokens)}</Link>;
    case 'image':
      return <Link href={token.href}>{safeText(token.text || token.href)}</Link>;
    case 'checkbox':
      return null;
    case 'html':
    case 'blockquote':
    case 'code':
    case 'def':
    case 'heading':
    case 'hr':
    case 'list':
    case 'list_item':
    case 'paragraph':
    case 'space':
    case 'table':
      return safeText(token.raw);
  }
}

/** Images are links too: the page never fetches an address from a text. */
function Link({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  const address = addressOf(href);
  return address ? (
    <a href={address} title={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ) : (
    <>
      {children} ({safeText(href)})
    </>
  );
}
