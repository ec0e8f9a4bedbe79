import { text as whole } from 'node:stream/consumers';
import { Option } from 'commander';
import type { RouseClient } from '../../client/client.js';
import { followNotices } from '../../client/follow.js';
import { NoticeState, type NoticeAnswer, type NoticeView } from '../../contract/notice.js';
import { durationInWords } from '../../contract/display.js';
import { answer, say, type Caller } from '../caller.js';
import { DONE, FAILED, NOTICE_ID, NOTICE_OR_PROCESS, print, SESSION_ID, type AddCommand } from '../command.js';
import { explain } from '../failure.js';
import { hostOf, onAnyHost } from '../host/background.js';
import { wholeNumber } from '../print/parse.js';
import { oneLine } from '../print/printable.js';
import { coloursOf, pad, printTable, shortened, type Column } from '../print/table.js';
import { interruptible } from '../signals.js';

type Options = {
  session?: string;
  process?: string;
  state?: NoticeState;
  limit: number;
  follow?: boolean;
  json?: boolean;
};

const SHOWN = 100;
/** There may be more notices than are shown: a prefix this long is as good as never another's too. */
const SIGNS = 8;

const COLOURS = {
  pending: 'yellow',
  delivered: 'green',
  consumed: 'green',
  suppressed: 'dim',
  expired: 'dim',
  dead: 'red',
} as const satisfies Record<NoticeState, string>;

export const addNotices: AddCommand = (program, caller, ends) => {
  const notices = program
    .command('notices')
    .description('list notices, newest first; or retry or dismiss them')
    .option('--session <id>', 'only those of this session')
    .option('--process <id>', 'only those of this process')
    .addOption(new Option('--state <state>', 'only those in this state').choices(NoticeState.options))
    .option('--limit <n>', 'at most this many', wholeNumber(1, 9_999), SHOWN)
    .option('-f, --follow', 'show pending notices, then changes as they happen')
    .option('--json', 'print them as JSON; with --follow one per line')
    .action(
      ends((options: Options) =>
        options.follow ? interruptible((signal) => follow(caller, options, signal)) : list(caller, options),
      ),
    );
  const addSettle = (name: string, description: string, settle: Settle, done: string) =>
    notices
      .command(name)
      .description(description)
      .argument('<id...>', NOTICE_ID)
      .action(ends((ids: string[]) => settleAll(caller, ids, settle, done)));
  addSettle('retry', 'deliver dead notices again', (client, id) => client.retry(id), 'is retried');
  addSettle('dismiss', 'settle notices without delivering them', (client, id) => client.dismiss(id), 'is dismissed');
};

export const addWhy: AddCommand = (program, caller, ends) => {
  program
    .command('why')
    .description('explain the state of a notice or of all notices of a process, or what a session waits for')
    .argument('<id>', NOTICE_OR_PROCESS)
    .option('--json', 'print the sentences and the notices as JSON')
    .action(
      ends(async (id: string, { json }: { json?: boolean }) => {
        const explained = await onAnyHost(caller, (client) => client.why(id));
        print(caller, json, explained, explained.sentences.join('\n'));
      }),
    );
};

type NotifyOptions = { session: string; key?: string; from?: string; json?: boolean };

export const addNotify: AddCommand = (program, caller, ends) => {
  program
    .command('notify')
    .description('add a notice to a session; prints its id')
    .argument('<text>', 'the text; "-" reads it from standard input')
    .requiredOption('--session <id>', SESSION_ID)
    .option('--key <key>', 'idempotency key: a second notice with the same key is not added to the session')
    .option('--from <who>', 'who sends it (default: outside)')
    .option('--json', 'print the response as JSON')
    .action(ends((text: string, options: NotifyOptions) => notify(caller, text, options)));
};

async function notify(caller: Caller, given: string, { session, json, ...known }: NotifyOptions): Promise<void> {
  const client = await hostOf(caller);
  const text = given === '-' ? await whole(caller.stdin) : given;
  const answered = await client.notify(session, text, known);
  const { notice, outcome } = answered;
  print(caller, json, answered, notice.id);
  if (outcome === 'duplicate') say(caller, `Nothing was added: notice ${notice.id} already has this key.`);
}

type Settle = (client: RouseClient, id: string) => Promise<NoticeAnswer>;

/** One that cannot be settled does not keep the others from it. */
async function settleAll(caller: Caller, ids: readonly string[], settle: Settle, done: string): Promise<number> {
  const client = await hostOf(caller);
  let status = DONE;
  for (const id of ids)
    try {
      const { notice } = await settle(client, id);
      answer(caller, `${notice.id} ${done}: ${notice.line}`);
    } catch (error) {
      say(caller, explain(error, caller));
      status = FAILED;
    }
  return status;
}

const filterOf = ({ session, process, state }: Options) => ({
  ...(session !== undefined && { session }),
  ...(process !== undefined && { process }),
  ...(state && { state }),
});

async function list(caller: Caller, options: Options): Promise<void> {
  const client = await hostOf(caller);
  const { limit, json } = options;
  const filter = filterOf(options);
  // One more than is shown, to know whether there are more.
  const found = await client.notices({ ...filter, limit: limit + 1 });
  const notices = found.slice(0, limit);
  printTable(caller, notices, {
    json: json && { notices },
    columns: json ? [] : await columnsOf(client, notices, options),
    none:
      Object.keys(filter).length > 0
        ? 'There are no such notices.'
        : 'There are no notices. To get one when a command ends: rouse run --notify -- COMMAND',
  });
  if (found.length > limit) say(caller, `There are more than these ${limit}; use --limit to see more.`);
}

async function columnsOf(
  client: RouseClient,
  notices: readonly NoticeView[],
  { session, process }: Options,
): Promise<readonly Column<NoticeView>[]> {
  const now = Date.now();
  const short = shortened(idsOf(notices), SIGNS);
  const ofProcess = process === undefined ? shortened(idsOf(await client.list({ limit: 10_000 }))) : () => '';
  const ofSession = session === undefined ? shortened(idsOf(await client.sessions())) : () => '';
  return [
    { title: 'ID', of: ({ id }) => short(id) },
    { title: 'STATE', of: ({ state }) => state, colour: ({ state }) => COLOURS[state] },
    { title: 'AGE', of: ({ at }) => durationInWords(now - Date.parse(at)), expendable: 3 },
    { title: 'SESSION', of: (notice) => ofSession(notice.session), expendable: 1 },
    { title: 'PROCESS', of: (notice) => (notice.process ? ofProcess(notice.process) : ''), expendable: 2 },
    { title: 'WHAT', of: lineWithoutId, rest: true, least: 40 },
  ];
}

const idsOf = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id);

/** The process has a column of its own. */
const lineWithoutId = ({ line, process }: NoticeView): string => (process ? line.replace(` (${process})`, '') : line);

/** What a session's policy keeps from people is not shown. */
async function follow(caller: Caller, options: Options, signal: AbortSignal): Promise<void> {
  const client = await hostOf(caller);
  const filter = await wholeIds(client, options);
  const isWanted = ({ people, process, state }: NoticeView): boolean =>
    people && [undefined, process].includes(filter.process) && [undefined, state].includes(options.state);
  for await (const notice of followNotices(client, { filter, limit: options.limit, signal }))
    if (isWanted(notice)) answer(caller, options.json ? JSON.stringify({ notice }) : shown(caller, notice));
}

/** What was typed may be the prefix of more than one later on. */
const wholeIds = async (client: RouseClient, { session, process }: Options) => ({
  ...(session !== undefined && { session: (await client.session(session)).session.id }),
  ...(process !== undefined && { process: (await client.process(process)).process.id }),
});

function shown(caller: Caller, { id, state, line, reason, at, settledAt }: NoticeView): string {
  const colours = coloursOf(caller);
  const time = new Date(settledAt ?? at).toTimeString().slice(0, 'HH:MM:SS'.length);
  const why = reason === undefined ? '' : colours.dim(` · ${oneLine(reason)}`);
  return `${colours.dim(time)}  ${id}  ${colours[COLOURS[state]](pad(state, WIDEST))}  ${line}${why}`;
}

const WIDEST = Math.max(...NoticeState.options.map(({ length }) => length));
