import { Markdown } from '../markdown/markdown';
import type { Words } from '../row';

export const AgentText = ({ row }: { readonly row: Words }) => (
  <Markdown text={row.text} growing={row.state === 'spoken'} name={row.key} />
);
