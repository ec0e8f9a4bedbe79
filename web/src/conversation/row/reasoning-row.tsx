import { safeText } from '../../look/safe-text';
import { Markdown } from '../markdown/markdown';
import type { Words } from '../row';
import { CollapsibleRow } from './collapsible-row';

const SHOWN = 300;

/** Shows the end of the text while it streams, and its beginning afterwards. */
export const ReasoningRow = ({ row }: { readonly row: Words }) => (
  <CollapsibleRow
    name={row.key}
    icon="thought"
    label={row.state === 'spoken' ? 'Thinking' : 'Thought'}
    line={oneLine(row.state === 'spoken' ? row.text.slice(-SHOWN) : row.text.slice(0, SHOWN))}
  >
    {() => <Markdown text={row.text} growing={row.state === 'spoken'} name={`${row.key} open`} />}
  </CollapsibleRow>
);

const oneLine = (text: string): string => safeText(text).replace(/[\s*_#`]+/g, ' ');
