import type { ModelsAnswer } from '../../contract/host.js';
import { durationInWords } from '../../contract/display.js';
import { hostOf } from '../host/background.js';
import { answer, answerJson, say, type Caller } from '../caller.js';
import { DONE, type AddCommand } from '../command.js';
import { oneLine } from '../print/printable.js';
import { screenOf, table, type Column } from '../print/table.js';

type Model = ModelsAnswer['models'][number];

export const addModels: AddCommand = (program, caller, ends) => {
  program
    .command('models')
    .description('list the models that sessions can have')
    .option('--json', 'print them as JSON')
    .action(ends((options: { json?: boolean }) => models(caller, options.json ?? false)));
};

async function models(caller: Caller, json: boolean): Promise<number> {
  const listed = await (await hostOf(caller)).models();
  if (json) answerJson(caller, listed);
  else {
    answer(caller, drawn(caller, listed));
    say(caller, sourceOf(listed));
  }
  return DONE;
}

function drawn(caller: Caller, { models, default: chosen }: ModelsAnswer): string {
  const columns: readonly Column<Model>[] = [
    { title: 'ID', of: ({ id }) => oneLine(id), rest: true, least: 30 },
    { title: 'PROVIDER', of: ({ provider }) => oneLine(provider), expendable: 2 },
    { title: 'WINDOW', of: ({ contextWindow }) => (contextWindow === undefined ? '' : windowInWords(contextWindow)) },
    { title: 'DEFAULT', of: ({ id }) => (id === chosen ? 'yes' : '') },
    { title: 'NAME', of: ({ name }) => oneLine(name), expendable: 1 },
  ];
  return table(columns, models, screenOf(caller));
}

/** `200k`, `1M`: what people call a window. */
const windowInWords = (tokens: number): string =>
  tokens >= 1_000_000 ? `${Math.round(tokens / 100_000) / 10}M` : `${Math.round(tokens / 1_000)}k`;

function sourceOf({ source, refreshedAt, default: chosen }: ModelsAnswer): string {
  const from =
    source === 'built-in' || refreshedAt === undefined
      ? 'The list is built in: no provider has said yet what it has.'
      : `The providers said so ${durationInWords(Date.now() - Date.parse(refreshedAt))} ago.`;
  return `${from} Sessions that name no model have ${oneLine(chosen)}.`;
}
