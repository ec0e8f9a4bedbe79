/** What was said before in this session, to be said again. */
import { conversation } from '../../state/conversation';

const own = (): readonly string[] => {
  const shown = conversation.peek();
  if (shown.kind !== 'shown') return [];
  return shown.screen.entries.flatMap((entry) =>
    entry.kind === 'message' && entry.from === 'person' ? [entry.text] : [],
  );
};

/** The words before or behind the ones that stand there; nothing when they are somebody's new ones. */
export function recalled(standing: string, by: 1 | -1): string | undefined {
  const said = own();
  if (standing === '') return by === -1 ? said.at(-1) : undefined;
  const at = said.lastIndexOf(standing);
  if (at < 0) return undefined;
  return by === 1 ? (said[at + 1] ?? '') : said[at - 1];
}
