import type { ModelsAnswer } from '../../contract/host.js';
import { durationInWords } from '../../contract/display.js';
import { say } from '../caller.js';
import type { AddCommand } from '../command.js';
import { hostOf } from '../host/background.js';
import { oneLine } from '../print/printable.js';
import { printTable, type Column } from '../print/table.js';

export const addModels: AddCommand = (program, caller, ends) => {
  program
    .command('models')
    .description('list the models that sessions can use')
    .option('--json', 'print them as JSON')
    .action(
      ends(async ({ json }: { json?: boolean }) => {
        const listed = await (await hostOf(caller)).models();
        printTable(caller, listed.models, {
          json: json && listed,
          columns: columnsOf(listed),
          none: 'There are no models.',
        });
        if (!json) say(caller, sourceOf(listed));
      }),
    );
};

const columnsOf = ({ default: chosen }: ModelsAnswer): readonly Column<ModelsAnswer['models'][number]>[] => [
  { title: 'ID', of: ({ id }) => oneLine(id), rest: true, least: 30 },
  { title: 'PROVIDER', of: ({ provider }) => oneLine(provider), expendable: 2 },
  { title: 'WINDOW', of: ({ contextWindow }) => (contextWindow === undefined ? '' : windowInWords(contextWindow)) },
  { title: 'DEFAULT', of: ({ id }) => (id === chosen ? 'yes' : '') },
  { title: 'NAME', of: ({ name }) => oneLine(name), expendable: 1 },
];

/** `200k`, `1M`: what people call a window. */
const windowInWords = (tokens: number): string =>
  tokens >= 1_000_000 ? `${Math.round(tokens / 100_000) / 10}M` : `${Math.round(tokens / 1_000)}k`;

function sourceOf({ source, refreshedAt, default: chosen }: ModelsAnswer): string {
  const from =
    source === 'built-in' || refreshedAt === undefined
      ? 'This is the built-in list: no provider has answered yet.'
      : `The providers reported this ${durationInWords(Date.now() - Date.parse(refreshedAt))} ago.`;
  return `${from} Sessions without a model of their own use ${oneLine(chosen)}.`;
}
