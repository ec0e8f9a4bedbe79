import { InvalidArgumentError, Option } from 'commander';
import type { RouseClient } from '../../client/client.js';
import { NoticeState, type NoticeView } from '../../contract/notice.js';
import { durationInWords } from '../../contract/display.js';
import { hostOf } from '../host/background.js';
import { answer, answerJson, say, type Caller } from '../caller.js';
import { NOTICE_COLOURS, screenOf } from '../print/colours.js';
import { DONE, type AddCommand } from '../command.js';
import { filterOf, type NoticeOptions } from './notice-filter.js';
import { followNotices } from './notices-follow.js';
import { addDismiss, addRetry } from './notices-settle.js';
import { shortened } from '../print/short-id.js';
import { table, type Column } from '../print/table.js';

const SHOWN = 100;
const MOST = 9_999;
/** There may be more notices than are shown: a beginning this long is as good as never another's too. */
const SIGNS = 8;

export const addNotices: AddCommand = (program, caller, ends) => {
  const notices = program
    .command('notices')
    .description('list what sessions are or were owed, the newest first; or try one again, or dismiss it')
    .option('--session <id>', 'only those of this session')
    .option('--process <id>', 'only those of this process')
    .addOption(new Option('--state <state>', 'only those in this state').choices(NoticeState.options))
    .option('--limit <n>', 'at most so many', parseLimit, SHOWN)
    .option('-f, --follow', 'show what is owed, then every change of which people are told')
    .option('--json', 'print them as JSON; with --follow one a line')
    .action(
      ends((options: NoticeOptions) => (options.follow ? followNotices(caller, options) : list(caller, options))),
    );
  for (const add of [addRetry, addDismiss]) add(notices, caller, ends);
};

async function list(caller: Caller, options: NoticeOptions): Promise<number> {
  const client = await hostOf(caller);
  const { limit, json } = options;
  // One more than is shown, to know whether there are more.
  const found = await client.notices({ ...filterOf(options), limit: limit + 1 });
  const notices = found.slice(0, limit);
  if (json) answerJson(caller, { notices });
  else if (notices.length > 0) answer(caller, await drawn(caller, client, notices, options));
  else say(caller, nothing(options));
  if (found.length > limit) say(caller, `There are more than these ${limit}: --limit shows more of them.`);
  return DONE;
}

const nothing = (options: NoticeOptions): string =>
  Object.keys(filterOf(options)).length > 0
    ? 'There are no such notices.'
    : 'There are no notices. To be told of an end: rouse run --notify -- COMMAND';

async function drawn(
  caller: Caller,
  client: RouseClient,
  notices: readonly NoticeView[],
  { session, process }: NoticeOptions,
): Promise<string> {
  const now = Date.now();
  const short = shortened(
    notices.map(({ id }) => id),
    SIGNS,
  );
  const ofProcess =
    process === undefined ? shortened((await client.list({ limit: 10_000 })).map(({ id }) => id)) : none;
  const ofSession = session === undefined ? shortened((await client.sessions()).map(({ id }) => id)) : none;
  const columns: readonly Column<NoticeView>[] = [
    { title: 'ID', of: ({ id }) => short(id) },
    { title: 'STATE', of: ({ state }) => state, colour: ({ state }) => NOTICE_COLOURS[state] },
    { title: 'AGE', of: ({ at }) => durationInWords(now - Date.parse(at)), expendable: 3 },
    { title: 'SESSION', of: (notice) => ofSession(notice.session), expendable: 1 },
    { title: 'PROCESS', of: (notice) => (notice.process ? ofProcess(notice.process) : ''), expendable: 2 },
    { title: 'WHAT', of: lineBesideId, rest: true, least: 40 },
  ];
  return table(columns, notices, screenOf(caller));
}

const none = (): string => '';

/** The process has a column of its own. */
const lineBesideId = ({ line, process }: NoticeView): string => (process ? line.replace(` (${process})`, '') : line);

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > MOST)
    throw new InvalidArgumentError(`Give a number from 1 to ${MOST}.`);
  return limit;
}
