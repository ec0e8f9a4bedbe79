import './detail.css';
import { useSignal } from '@preact/signals';
import type { ProcessView } from 'rouse/contract/process';
import { printable } from 'rouse/contract/display';
import { Icon } from '../look/icon';
import { attempt, host } from '../state/host';
import { showMessage } from '../state/messages';
import { processes } from '../state/processes';
import { panelShown } from '../state/panes';
import { addressOf, openSession } from '../state/route';
import { ClosePanel } from './close-panel';
import { DownloadButton } from './download';
import { Facts } from './facts';
import { KillButton, KillChoice } from './kill';
import { END, type Place } from './output-place';
import { OutputView } from './output-view';
import { ProcessNotices } from './process-notices';
import { Search, searchShown } from './search';
import { isRunning } from './process-state';
import { StateBadge } from './state-badge';

/** One process: details, output and actions. */
export function Detail({ process }: { readonly process: ProcessView }) {
  const place = useSignal<Place>(END);
  const title = printable(process.name ?? '') || printable(process.command);
  return (
    <section class="process-detail" aria-label={`Process ${title}`}>
      <header class="detail-head">
        <Back />
        <h2 class="mono one-line grow" title={printable(process.command)}>
          {title}
        </h2>
        <StateBadge process={process} />
        <ReadingActions process={process} />
        <ClosePanel />
      </header>
      <Facts process={process}>{isRunning(process) && <RunningActions process={process} />}</Facts>
      <KillChoice process={process} />
      {searchShown.value && <Search process={process} place={place} />}
      <OutputView process={process} place={place} />
      <ProcessNotices process={process} />
    </section>
  );
}

function Back() {
  const session = openSession.value;
  return (
    <a
      class="button quiet icon"
      data-back
      href={addressOf(session ? { kind: 'session', session } : { kind: 'processes' })}
      aria-label="Back to the list"
      title="Back to the list"
      onClick={keepPanel}
    >
      <Icon name="back" />
    </a>
  );
}

const RunningActions = ({ process }: { readonly process: ProcessView }) => (
  <div class="detail-actions" role="group" aria-label="Actions">
    <button class="button quiet" onClick={() => void closeInput(process)} title="Close the standard input, like Ctrl+D">
      Close input
    </button>
    <KillButton />
  </div>
);

function ReadingActions({ process }: { readonly process: ProcessView }) {
  return (
    <div class="detail-actions" role="group" aria-label="Output">
      <button
        class="button quiet icon"
        aria-label="Search in the output"
        aria-expanded={searchShown.value}
        title="Search in the output (/)"
        onClick={() => (searchShown.value = !searchShown.value)}
      >
        <Icon name="search" />
      </button>
      <DownloadButton process={process} />
    </div>
  );
}

async function closeInput({ id }: ProcessView): Promise<void> {
  const keep = processes.asking(id);
  const answer = await attempt(() => host.closeInput(id));
  if (!answer) return;
  keep(answer.process);
  showMessage({ tone: 'good', text: 'Input closed.' });
}

/** Coming from a link to one process, show the list instead of closing the panel. */
const keepPanel = (): void => void (openSession.value && (panelShown.value = true));
