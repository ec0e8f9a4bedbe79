import type { Command } from '../keyboard/commands';
import { panelShown } from '../state/panes';
import { processes } from '../state/processes';
import { goToProcess, openProcess, route } from '../state/route';
import { killing } from './kill';
import { listing, neighbour } from './listing';
import { searchShown } from './search';
import { asked, within } from './list-scope';
import { isRunning } from './process-state';
import { startDialogShown } from './start-dialog';

const hasOpen = (): boolean => processes.get(openProcess.value) !== undefined;

export const processCommands: readonly Command[] = [
  { id: 'start-process', title: 'Start a process', group: 'Processes', keys: 's', run: start },
  { id: 'next-process', title: 'Next process', group: 'Processes', keys: ']', run: () => step(1) },
  { id: 'previous-process', title: 'Previous process', group: 'Processes', keys: '[', run: () => step(-1) },
  {
    id: 'search-output',
    title: 'Search in the output',
    group: 'Processes',
    keys: '/',
    when: hasOpen,
    run: () => (searchShown.value = true),
  },
  {
    id: 'find-output',
    title: 'Search in the output, also while typing',
    group: 'Processes',
    keys: 'mod+f',
    whileTyping: true,
    when: hasOpen,
    run: () => (searchShown.value = true),
  },
  {
    id: 'kill-process',
    title: 'Kill this process …',
    group: 'Processes',
    keys: 'x',
    when: () => {
      const process = processes.get(openProcess.value);
      return process !== undefined && isRunning(process);
    },
    run: () => (killing.value = true),
  },
];

function start(): void {
  if (route.value.kind !== 'processes') panelShown.value = true;
  startDialogShown.value = true;
}

/** In the order of the filtered list. */
function step(by: 1 | -1): void {
  const next = neighbour(listing(within.value, asked.value, Infinity), openProcess.value, by);
  if (next) goToProcess(next.id);
}
