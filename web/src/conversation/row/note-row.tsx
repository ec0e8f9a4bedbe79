import { Icon, type IconName } from '../../look/icon';
import { Clock } from '../clock';
import { harmless } from '../harmless';
import { Markdown } from '../markdown/markdown';
import type { RowOf } from '../row';
import { FoldRow } from './fold-row';

type About = RowOf<'note'>['about'];

const ICONS: Record<About, IconName> = {
  resumed: 'clock',
  notResumed: 'clock',
  recovery: 'clock',
  digest: 'bell',
  paused: 'hand',
  moved: 'back',
  unfamiliar: 'file',
};

/** What a person must not overlook is said in a few words before the sentence. */
const HEADS: Partial<Record<About, string>> = {
  resumed: 'Resumed after a restart',
  notResumed: 'Not resumed after the restart',
  paused: 'Wakes are paused',
};

/** What Rouse itself has to say about the session. */
export const NoteRow = ({ row }: { readonly row: RowOf<'note'> }) => (
  <div class="note" data-about={row.about}>
    <Icon name={ICONS[row.about]} size={15} />
    <p class="grow">
      {HEADS[row.about] && <strong>{HEADS[row.about]}. </strong>}
      {harmless(row.text)}
    </p>
    <Clock at={row.at} />
  </div>
);

export const CompactionRow = ({ row }: { readonly row: RowOf<'compaction'> }) => (
  <FoldRow
    name={row.key}
    icon="archive"
    label="Summed up"
    line="From here on the agent is shown a summary of what came before."
  >
    {() => <Markdown text={row.summary} growing={false} name={`${row.key} open`} />}
  </FoldRow>
);
