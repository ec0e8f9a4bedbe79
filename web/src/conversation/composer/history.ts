/** Earlier messages of this session, for the arrow keys. */
import { conversation } from '../../state/conversation';

const own = (): readonly string[] => {
  const shown = conversation.peek();
  if (shown.kind !== 'shown') return [];
  return shown.screen.entries.flatMap((entry) =>
    entry.kind === 'message' && entry.from === 'person' ? [entry.text] : [],
  );
};

/** The previous or next message, or undefined if the field contains a new text. */
export function recalled(standing: string, by: 1 | -1): string | undefined {
  const said = own();
  if (standing === '') return by === -1 ? said.at(-1) : undefined;
  const at = said.lastIndexOf(standing);
  if (at < 0) return undefined;
  return by === 1 ? (said[at + 1] ?? '') : said[at - 1];
}
