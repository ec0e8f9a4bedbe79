/** Highlights code. The highlighter is loaded with the first code; until then code is plain. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Coloured, Highlighter } from './highlighter';

const highlighter = signal<Highlighter | undefined>(undefined);
let asked = false;

export function coloured(code: string, language: string): ComponentChildren {
  if (language === '') return undefined;
  if (!asked) askOnce();
  const tree = highlighter.value?.(code, language);
  return tree && drawn(tree);
}

function askOnce(): void {
  asked = true;
  void import('./highlighter').then(
    ({ highlight }) => (highlighter.value = highlight),
    () => (asked = false),
  );
}

const drawn = (nodes: readonly Coloured[]): ComponentChildren => nodes.map(one);

function one(node: Coloured): ComponentChildren {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return null;
  const { className } = node.properties;
  return <span class={Array.isArray(className) ? className.join(' ') : ''}>{drawn(node.children)}</span>;
}
