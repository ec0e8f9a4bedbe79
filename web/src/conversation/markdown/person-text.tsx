/** Shows what a person wrote unchanged; only code is formatted. */
import './markdown.css';
import { Fragment, type ComponentChildren } from 'preact';
import { safeText } from '../../look/safe-text';
import { isExpanded } from '../expanded';
import { ShowAll } from '../show-all';
import { CodeBlock } from './code-block';

const AT_ONCE = 20_000;
const FENCED = /^```([^\n`]*)\n(.*?)\n?^```[ \t]*$/gms;

export function PersonText({ text, name }: { readonly text: string; readonly name: string }) {
  const whole = text.length <= AT_ONCE || isExpanded(`${name} whole`);
  return (
    <div class="prose person-text">
      {pieces(whole ? text : text.slice(0, AT_ONCE)).map((piece, index) => (
        <Fragment key={index}>{piece}</Fragment>
      ))}
      {!whole && <ShowAll name={`${name} whole`} characters={text.length} />}
    </div>
  );
}

function pieces(text: string): readonly ComponentChildren[] {
  const shown: ComponentChildren[] = [];
  let at = 0;
  for (const { index, 0: whole, 1: language = '', 2: code = '' } of text.matchAll(FENCED)) {
    shown.push(words(text.slice(at, index)), <CodeBlock code={code} language={language} growing={false} />);
    at = index + whole.length;
  }
  return [...shown, words(text.slice(at))];
}

function words(text: string): ComponentChildren {
  const parts = text.replace(/^\n+|\n+$/g, '').split(/(?<!`)`([^`\n]+)`(?!`)/);
  if (parts.join('') === '') return null;
  return (
    <p>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{safeText(part)}</code> : safeText(part)))}</p>
  );
}
