import { Icon, type IconName } from '../../look/icon';
import { Clock } from '../clock';
import { safeText } from '../../look/safe-text';
import { Markdown } from '../markdown/markdown';
import type { RowOf } from '../row';
import { CollapsibleRow } from './collapsible-row';

const ICONS: Record<RowOf<'note'>['about'], IconName> = {
  resumed: 'clock',
  notResumed: 'clock',
  recovery: 'clock',
  digest: 'bell',
  paused: 'hand',
  moved: 'back',
  unfamiliar: 'file',
};

/** A note of Rouse: what happened, and after a colon, why. */
export function NoteRow({ row }: { readonly row: RowOf<'note'> }) {
  const [, what, why] = /^([^:\n]{1,60}:)(.*)$/s.exec(safeText(row.text)) ?? ['', '', safeText(row.text)];
  return (
    <div class="note" data-about={row.about}>
      <Icon name={ICONS[row.about]} size={15} />
      <p class="grow">
        <strong>{what}</strong>
        {why}
      </p>
      <Clock at={row.at} />
    </div>
  );
}

export const CompactionRow = ({ row }: { readonly row: RowOf<'compaction'> }) => (
  <CollapsibleRow
    name={row.key}
    icon="archive"
    label="Summary"
    line="From here on the agent sees a summary of everything before."
  >
    {() => <Markdown text={row.summary} growing={false} name={`${row.key} open`} />}
  </CollapsibleRow>
);
