import './notices.css';
import { useSignal } from '@preact/signals';
import type { NoticeState } from 'rouse/contract/notice';
import { listedNotices, notices } from '../state/notices';
import { NoticeRow } from './notice-row';
import { counted, STATES } from './notice-words';
import { readNotices } from './read';

/** All notices and their state. */
export function Notices() {
  const only = useSignal<NoticeState | undefined>(undefined);
  const counts = counted(listedNotices.value);
  const listed = listedNotices.value.filter(({ state }) => !only.value || state === only.value);
  const choose = (state: NoticeState | undefined): void => {
    only.value = state;
    if (state) void readNotices({ state });
  };
  return (
    <section class="notices" aria-label="Notices">
      <div class="notice-states" role="group" aria-label="Filter by state">
        <button aria-pressed={!only.value} onClick={() => choose(undefined)}>
          all <span class="small">{listedNotices.value.length}</span>
        </button>
        {STATES.map((state) => (
          <button key={state} aria-pressed={only.value === state} onClick={() => choose(state)}>
            {state} <span class="small">{counts.get(state) ?? 0}</span>
          </button>
        ))}
      </div>
      <ul class="notice-list" aria-label="Notices">
        {listed.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} within="all" />
        ))}
      </ul>
      {notices.known.value && listed.length === 0 && (
        <p class="faint nothing">
          {only.value
            ? `No notice is ${only.value}.`
            : 'No notices yet. A process that is started with notify makes one when it ends.'}
        </p>
      )}
    </section>
  );
}
