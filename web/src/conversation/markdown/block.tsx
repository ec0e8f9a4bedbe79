/** Renders one block from its tokens. */
import { Component, Fragment, type ComponentChildren } from 'preact';
import type { MarkedToken, Token, Tokens } from 'marked';
import { safeText } from '../../look/safe-text';
import { tokensOf } from './blocks';
import { CodeBlock } from './code-block';
import { inline } from './inline';

type Shown = { readonly raw: string; readonly growing: boolean };

/** Renders again only when its own text changes, so that streaming text does not touch earlier blocks. */
export class Block extends Component<Shown> {
  override shouldComponentUpdate(next: Shown): boolean {
    return next.raw !== this.props.raw || next.growing !== this.props.growing;
  }

  override render({ raw, growing }: Shown) {
    const tokens = tokensOf(raw);
    return tokens ? drawn(tokens, growing) : <div class="as-it-stands">{safeText(raw)}</div>;
  }
}

const drawn = (tokens: readonly Token[], growing: boolean): ComponentChildren =>
  tokens.map((token, index) => <Fragment key={index}>{block(token as MarkedToken, growing)}</Fragment>);

function block(token: MarkedToken, growing: boolean): ComponentChildren {
  switch (token.type) {
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>;
    case 'text':
      return token.tokens ? inline(token.tokens) : safeText(token.text);
    case 'heading':
      return <Heading depth={token.depth}>{inline(token.tokens)}</Heading>;
    case 'code':
      return <CodeBlock code={token.text} language={token.lang ?? ''} growing={growing} />;
    case 'blockquote':
      return <blockquote>{drawn(token.tokens, growing)}</blockquote>;
    case 'list':
      return <List list={token} growing={growing} />;
    case 'table':
      return <Table table={token} />;
    case 'hr':
      return <hr />;
    case 'space':
    case 'checkbox':
      return null;
    case 'html':
    case 'def':
      return <p class="as-it-stands">{safeText(token.raw.trimEnd())}</p>;
    case 'br':
    case 'codespan':
    case 'del':
    case 'em':
    case 'escape':
    case 'image':
    case 'link':
    case 'list_item':
    case 'strong':
      return inline([token]);
  }
}

/** All headings of an agent have the same level, so that they cannot break the outline of the page. */
const Heading = ({ depth, children }: { readonly depth: number; readonly children: ComponentChildren }) => (
  <h2 data-depth={Math.min(depth, 3)}>{children}</h2>
);

function List({ list, growing }: { readonly list: Tokens.List; readonly growing: boolean }) {
  const items = list.items.map((item, index) => (
    <li key={index} class={item.task ? 'task' : undefined}>
      {item.task && <input type="checkbox" checked={item.checked === true} disabled aria-label={safeText(item.text)} />}
      {drawn(item.tokens, growing)}
    </li>
  ));
  return list.ordered ? <ol start={list.start === '' ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>;
}

const Table = ({ table }: { readonly table: Tokens.Table }) => (
  <div class="table" tabIndex={0} role="region" aria-label="Table">
    <table>
      <thead>
        <tr>{table.header.map((cell, index) => cellOf(cell, index, 'th'))}</tr>
      </thead>
      <tbody>
        {table.rows.map((row, index) => (
          <tr key={index}>{row.map((cell, index) => cellOf(cell, index, 'td'))}</tr>
        ))}
      </tbody>
    </table>
  </div>
);

const cellOf = ({ tokens, align }: Tokens.TableCell, index: number, Tag: 'th' | 'td') => (
  <Tag key={index} class={align ? `to-${align}` : undefined}>
    {inline(tokens)}
  </Tag>
);
