import './panel.css';
import { useEffect } from 'preact/hooks';
import { offer } from '../keyboard/commands';
import { reasonOf, host } from '../state/host';
import { showMessage } from '../state/messages';
import { processes } from '../state/processes';
import { openProcess, route } from '../state/route';
import { Detail } from './detail';
import { ProcessList } from './process-list';
import { processCommands } from './process-commands';
import { StartDialog, startDialogShown } from './start-dialog';

offer(processCommands);

/** In the side panel the list or one process; on the processes page both, if there is room. */
export function ProcessPanel() {
  const id = openProcess.value;
  const process = processes.get(id);
  const missing = id !== undefined && !process && processes.known.value;
  useEffect(() => void (missing && void read(id)), [missing, id]);
  return (
    <div class="process-panel" data-detail={id !== undefined}>
      {(!id || route.value.kind === 'processes') && <ProcessList />}
      {process && <Detail key={process.id} process={process} />}
      {startDialogShown.value && <StartDialog />}
    </div>
  );
}

/** Reads an old process that is not in the list. */
async function read(id: string): Promise<void> {
  try {
    processes.learn([(await host.process(id)).process]);
  } catch (error) {
    showMessage({ tone: 'trouble', text: reasonOf(error) });
  }
}
