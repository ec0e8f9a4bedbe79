/** Renders an agent's Markdown element by element; never as HTML. */
import './markdown.css';
import { useRef } from 'preact/hooks';
import { isExpanded } from '../expanded';
import { ShowAll } from '../show-all';
import { Block } from './block';
import { blocksOf, type Blocks } from './blocks';

const AT_ONCE = 100_000;

export function Markdown({
  text,
  growing,
  name,
}: {
  readonly text: string;
  readonly growing: boolean;
  readonly name: string;
}) {
  const whole = text.length <= AT_ONCE || isExpanded(`${name} whole`);
  const { raws } = useBlocks((whole ? text : text.slice(0, AT_ONCE)).replace(/\r\n?/g, '\n'), growing);
  return (
    <div class="prose">
      {raws.map((raw, index) => (
        <Block key={index} raw={raw} growing={growing && index === raws.length - 1} />
      ))}
      {!whole && <ShowAll name={`${name} whole`} characters={text.length} />}
    </div>
  );
}

function useBlocks(text: string, growing: boolean): Blocks {
  const last = useRef<{ readonly blocks: Blocks; readonly growing: boolean } | undefined>(undefined);
  const before = last.current;
  if (before?.blocks.text === text && before.growing === growing) return before.blocks;
  const blocks = blocksOf(text, growing ? before?.blocks : undefined);
  last.current = { blocks, growing };
  return blocks;
}
