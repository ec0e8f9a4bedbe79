import type { ProcessView } from '../../contract/process.js';
import { bytesInWords, durationInWords } from '../../contract/display.js';
import type { Caller } from '../caller.js';
import type { AddCommand } from '../command.js';
import { ending } from './ending.js';
import { hostOf } from '../host/background.js';
import { oneLine } from '../print/printable.js';
import { printTable, shortened, type Column } from '../print/table.js';

type Options = { all?: boolean; session?: string; json?: boolean };

const MOST = 10_000;

export const addPs: AddCommand = (program, caller, ends) => {
  program
    .command('ps')
    .description('list processes that have not ended, newest first')
    .option('-a, --all', 'also list ended processes')
    .option('--session <id>', 'only those of this session')
    .option('--json', 'print them as JSON')
    .action(ends((options: Options) => ps(caller, options)));
};

async function ps(caller: Caller, { all, session, json }: Options): Promise<void> {
  const client = await hostOf(caller);
  const owner = session === undefined ? undefined : (await client.session(session)).session.id;
  const known = await client.list({ limit: MOST });
  const processes = known.filter(
    (process) => (all || process.state !== 'ended') && (!owner || process.session === owner),
  );
  printTable(caller, processes, {
    json: json && { processes },
    columns: columnsOf(known),
    none: all ? 'There are no processes.' : 'No process is running. To list ended ones: rouse ps -a',
  });
}

function columnsOf(known: readonly ProcessView[]): readonly Column<ProcessView>[] {
  const now = Date.now();
  // An id is short only in comparison with all others.
  const short = shortened(known.map(({ id }) => id));
  return [
    { title: 'ID', of: ({ id }) => short(id) },
    { title: 'NAME', of: ({ name }) => oneLine(name ?? ''), most: 20, expendable: 2 },
    { title: 'STATE', of: stateOf, colour: colourOf, least: 8 },
    { title: 'AGE', of: ({ startedAt }) => durationInWords(now - Date.parse(startedAt)), expendable: 3 },
    { title: 'RAN', of: (process) => durationInWords(ranMs(process, now)), expendable: 1 },
    { title: 'OUTPUT', of: ({ outputBytes }) => bytesInWords(outputBytes), expendable: 4 },
    { title: 'COMMAND', of: ({ command }) => oneLine(command), rest: true },
  ];
}

function stateOf(process: ProcessView): string {
  if (process.end) return ending(process.end);
  if (process.stop) return 'ending';
  return process.waitingForInput ? 'waiting for input' : process.state;
}

function colourOf({ end, waitingForInput }: ProcessView): 'green' | 'yellow' | 'red' | 'dim' {
  if (!end) return waitingForInput ? 'yellow' : 'green';
  return end.kind === 'exited' && end.code === 0 ? 'dim' : 'red';
}

const ranMs = ({ startedAt, endedAt }: ProcessView, now: number): number =>
  (endedAt ? Date.parse(endedAt) : now) - Date.parse(startedAt);
