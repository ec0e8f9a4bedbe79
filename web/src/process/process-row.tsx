import type { ProcessView } from 'rouse/contract/process';
import { durationInWords, printable } from 'rouse/contract/display';
import { now } from '../look/ago';
import { addressOf, openProcess, openSession } from '../state/route';
import { sessions } from '../state/sessions';
import { bytesInWords } from 'rouse/contract/display';
import { percentInWords } from './resource-usage';
import { NotifyMarks } from './notify-marks';
import { isRunning, ranMs } from './process-state';
import { StateBadge } from './state-badge';
import { loads } from './usage';

/** One process on one line, or on two if there is no room. */
export function ProcessRow({ process, owner }: { readonly process: ProcessView; readonly owner: boolean }) {
  const { id, name, command, outputBytes } = process;
  const session = openSession.value;
  const label = printable(name ?? '') || printable(command);
  return (
    <li class="process-row" data-state={process.state} data-open={openProcess.value === id}>
      <StateBadge process={process} />
      <a
        class="process-name mono one-line"
        href={addressOf(session ? { kind: 'session', session, process: id } : { kind: 'processes', process: id })}
        aria-current={openProcess.value === id ? 'true' : undefined}
        title={printable(command)}
      >
        {label}
      </a>
      <span class="process-facts small soft">
        <Load process={process} />
        <span class="process-size" title="Output">
          {outputBytes > 0 && bytesInWords(outputBytes)}
        </span>
        <NotifyMarks process={process} />
        {owner && <Owner process={process} />}
      </span>
      <time class="process-age small soft" dateTime={process.startedAt} title={momentsOf(process)}>
        {durationInWords(ranMs(process, now.value))}
      </time>
    </li>
  );
}

function Load({ process }: { readonly process: ProcessView }) {
  const load = isRunning(process) ? loads.value.get(process.id) : undefined;
  return (
    <>
      <span class="process-cpu" title="CPU, of one core">
        {load?.cpu === undefined ? '' : percentInWords(load.cpu)}
      </span>
      <span class="process-memory" title={load && `Memory of ${load.processes} processes in its tree`}>
        {load ? bytesInWords(load.memoryBytes) : ''}
      </span>
    </>
  );
}

function Owner({ process: { session } }: { readonly process: ProcessView }) {
  if (!session) return <span class="process-owner faint">no session</span>;
  return (
    <a class="process-owner one-line" href={addressOf({ kind: 'session', session })}>
      {sessions.get(session)?.title ?? session}
    </a>
  );
}

const momentsOf = ({ startedAt, endedAt }: ProcessView): string =>
  [
    `Started ${new Date(startedAt).toLocaleString()}`,
    ...(endedAt ? [`ended ${new Date(endedAt).toLocaleString()}`] : []),
  ].join(', ');
