import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { ProcessView } from 'rouse/contract/process';
import { Icon } from '../look/icon';
import { NoticeRow } from '../notice/notice-row';
import { attempt } from '../state/host';
import { listedNotices } from '../state/notices';
import { explain } from '../state/why';
import { readNotices } from '../notice/read';

/** The notices of a process, or why there are none. */
export function ProcessNotices({ process }: { readonly process: ProcessView }) {
  const why = useSignal<readonly string[] | undefined>(undefined);
  const own = listedNotices.value.filter((notice) => notice.process === process.id);
  const dead = own.some(({ state }) => state === 'dead');
  useEffect(() => void readNotices({ process: process.id }), [process.id]);
  const toggle = async (open: boolean): Promise<void> => {
    if (!open || own.length > 0) return;
    why.value = await attempt(() => explain(process.id));
  };
  return (
    <details class="process-notices" open={dead} onToggle={({ currentTarget }) => void toggle(currentTarget.open)}>
      <summary class="small">
        <Icon name="bell" size={13} /> Notices <span class="faint">{own.length}</span>
        {dead && <span class="badge trouble">dead</span>}
      </summary>
      {own.length > 0 ? (
        <ul class="notice-list" aria-label="Notices of this process">
          {own.map((notice) => (
            <NoticeRow key={notice.id} notice={notice} within="process" />
          ))}
        </ul>
      ) : (
        why.value?.map((sentence) => (
          <p key={sentence} class="small soft nothing">
            {sentence}
          </p>
        ))
      )}
    </details>
  );
}
