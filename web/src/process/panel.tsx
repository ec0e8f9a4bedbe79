import './panel.css';
import { useEffect } from 'preact/hooks';
import { offer } from '../keyboard/commands';
import { reasonOf, host } from '../state/host';
import { say } from '../state/messages';
import { processes } from '../state/processes';
import { openProcess, route } from '../state/route';
import { Detail } from './detail';
import { ProcessList } from './process-list';
import { processCommands } from './process-commands';
import { StartWindow, startWindow } from './start-dialog';

offer(processCommands);

/** Beside a conversation the list or one process; on a page of its own both, where there is room for both. */
export function ProcessPanel() {
  const id = openProcess.value;
  const process = processes.get(id);
  const missing = id !== undefined && !process && processes.known.value;
  useEffect(() => void (missing && void read(id)), [missing, id]);
  return (
    <div class="process-panel" data-detail={id !== undefined}>
      {(!id || route.value.kind === 'processes') && <ProcessList />}
      {process && <Detail key={process.id} process={process} />}
      {startWindow.value && <StartWindow />}
    </div>
  );
}

/** An old one, which no list goes back to. */
async function read(id: string): Promise<void> {
  try {
    processes.learn([(await host.process(id)).process]);
  } catch (error) {
    say({ tone: 'trouble', text: reasonOf(error) });
  }
}
