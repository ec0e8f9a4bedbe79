import './process-list.css';
import { useSignal } from '@preact/signals';
import type { ProcessView } from 'rouse/contract/process';
import { Icon } from '../look/icon';
import { processes } from '../state/processes';
import { openSession } from '../state/route';
import { listing } from './listing';
import { ProcessRow } from './process-row';
import { ClosePanel } from './close-panel';
import { asked, ofSession, within } from './list-scope';
import { startDialogShown } from './start-dialog';
import { useUsage } from './usage';

const MOST_ENDED = 200;

export function ProcessList() {
  useUsage();
  const most = useSignal(MOST_ENDED);
  const { running, ended, hidden } = listing(within.value, asked.value, most.value);
  const owner = !ofSession.value;
  return (
    <section class="process-list" aria-label="List of processes">
      <div class="process-head">
        <Scope />
        <label class="process-filter">
          <span class="unseen">Filter processes</span>
          <Icon name="search" />
          <input
            id="process-filter"
            type="search"
            placeholder="Filter"
            title="By name, command, folder, id or state"
            value={asked.value}
            onInput={({ currentTarget }) => (asked.value = currentTarget.value)}
          />
        </label>
        <button class="button" onClick={() => (startDialogShown.value = true)} title="Start a process (S)">
          <Icon name="plus" /> Start
        </button>
        <ClosePanel />
      </div>
      <div class="process-rows">
        <Rows title="Running" listed={running} owner={owner} />
        <Rows title="Ended" listed={ended} owner={owner} />
        {hidden > 0 && (
          <button class="button quiet process-more" onClick={() => (most.value += MOST_ENDED)}>
            Show {Math.min(hidden, MOST_ENDED)} more of {hidden}
          </button>
        )}
        {processes.known.value && running.length + ended.length === 0 && (
          <p class="faint small nothing">{emptyWords()}</p>
        )}
      </div>
    </section>
  );
}

const emptyWords = (): string => {
  if (asked.value.trim()) return 'No process matches.';
  return ofSession.value ? 'This session has started no process yet.' : 'Nothing has been started yet.';
};

function Scope() {
  if (!openSession.value) return null;
  return (
    <div class="two-way" role="group" aria-label="Whose processes">
      <button aria-pressed={ofSession.value} onClick={() => (ofSession.value = true)}>
        This session
      </button>
      <button aria-pressed={!ofSession.value} onClick={() => (ofSession.value = false)}>
        All
      </button>
    </div>
  );
}

/** Column headings for sighted readers; each figure has its own label for screen readers. */
const Columns = () => (
  <span class="process-columns faint" aria-hidden="true">
    {['CPU', 'Memory', 'Output', '', 'Session', 'Time'].map((name) => (
      <span key={name}>{name}</span>
    ))}
  </span>
);

function Rows({
  title,
  listed,
  owner,
}: {
  readonly title: string;
  readonly listed: readonly ProcessView[];
  readonly owner: boolean;
}) {
  if (listed.length === 0) return null;
  return (
    <>
      <h2 class="process-group small soft">
        {title}&nbsp;<span class="faint">{listed.length}</span>
        <Columns />
      </h2>
      <ul aria-label={title}>
        {listed.map((process) => (
          <ProcessRow key={process.id} process={process} owner={owner} />
        ))}
      </ul>
    </>
  );
}
