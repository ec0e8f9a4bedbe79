import { Option, type Command } from 'commander';
import { AgentPolicy, PeoplePolicy } from '../../contract/notice.js';
import { AgentName, type SessionAnswer, type SessionChanges, type SessionView } from '../../contract/session.js';
import { durationInWords } from '../../contract/display.js';
import { say, type Caller } from '../caller.js';
import { print, SESSION_ID, type AddCommand } from '../command.js';
import { ensureHost, hostOf } from '../host/background.js';
import { oneLine } from '../print/printable.js';
import { printTable, shortened, type Column } from '../print/table.js';
import { sayWhatRuns } from './stop.js';

/** What can be set when a session is made and when it is changed; false removes it. */
type Options = {
  title?: string;
  agent?: AgentName;
  webhook?: string | false;
  secret?: string;
  people?: PeoplePolicy;
  wakes?: AgentPolicy;
  model?: string | false;
  json?: boolean;
};

export const addSessions: AddCommand = (program, caller, ends) => {
  const sessions = program
    .command('sessions')
    .description('list sessions, last changed first; or create, change and close them')
    .option('--json', 'print them as JSON')
    .action(
      ends(async ({ json }: { json?: boolean }) => {
        const listed = await (await hostOf(caller)).sessions();
        const none = 'There are no sessions. To create one: rouse sessions new TITLE';
        printTable(caller, listed, { json: json && { sessions: listed }, columns: columnsOf(listed), none });
      }),
    );

  withSettings(sessions.command('new'))
    .description('create a session; prints its id')
    .argument('[title]', 'its title')
    .addOption(new Option('--agent <agent>', 'the agent that answers in it').choices(AgentName.options))
    .action(
      ends(async (title: string | undefined, options: Options, command: Command) => {
        refuseLoneSecret(options, command);
        const { agent } = options;
        const wanted = { ...(title !== undefined && { title }), ...(agent && { agent }), ...settingsOf(options) };
        return saved(caller, await (await ensureHost(caller)).createSession(wanted), options);
      }),
    );

  withSettings(sessions.command('set'))
    .description('change a session; prints its id')
    .argument('<id>', SESSION_ID)
    .option('--title <title>', 'its title')
    .option('--no-webhook', 'remove its webhook')
    .option('--no-model', "use the host's own model")
    .action(
      ends(async (id: string, options: Options, command: Command) => {
        refuseLoneSecret(options, command);
        const changes = changesOf(options);
        if (Object.keys(changes).length === 0) command.error('Nothing to change. Give an option such as --title.');
        return saved(caller, await (await hostOf(caller)).changeSession(id, changes), options);
      }),
    );

  sessions
    .command('close')
    .description('close a session: it gets no more notices; its processes keep running')
    .argument('<id>', SESSION_ID)
    .action(ends((id: string) => close(caller, id)));
};

const withSettings = (command: Command): Command =>
  command
    .option('--webhook <url>', 'the URL that gets its notices')
    .option('--secret <secret>', 'the secret that signs them, at least 16 characters (default: generated)')
    .addOption(new Option('--people <policy>', 'which notices people see').choices(PeoplePolicy.options))
    .addOption(new Option('--wakes <policy>', 'which notices wake its agent').choices(AgentPolicy.options))
    .option('--model <model>', 'the model of its agent')
    .option('--json', 'print the response as JSON');

const settingsOf = ({ webhook, secret, people, wakes, model }: Options) => ({
  ...(typeof webhook === 'string' && { webhook: { url: webhook, ...(secret !== undefined && { secret }) } }),
  ...(people && { people }),
  ...(wakes && { wakes }),
  ...(typeof model === 'string' && { model }),
});

const changesOf = (options: Options): SessionChanges => ({
  ...settingsOf(options),
  ...(options.title !== undefined && { title: options.title }),
  ...(options.webhook === false && { webhook: null }),
  ...(options.model === false && { model: null }),
});

/** A secret signs what goes to a webhook. */
function refuseLoneSecret({ webhook, secret }: Options, command: Command): void {
  if (secret !== undefined && typeof webhook !== 'string') command.error('--secret needs --webhook URL.');
}

/** A secret that the host made is shown once, to a person. */
function saved(caller: Caller, made: SessionAnswer, { json, secret }: Options): void {
  if (made.webhookSecret !== undefined && secret === undefined && !json)
    say(caller, `The secret of its webhook, shown only this once: ${made.webhookSecret}`);
  print(caller, json, made, made.session.id);
}

async function close(caller: Caller, typed: string): Promise<void> {
  const { session } = await (await hostOf(caller)).changeSession(typed, { closed: true });
  say(caller, `Closed session "${oneLine(session.title)}" (${session.id}). It gets no more notices.`);
  sayWhatRuns(caller, session);
}

function columnsOf(sessions: readonly SessionView[]): readonly Column<SessionView>[] {
  const now = Date.now();
  const short = shortened(sessions.map(({ id }) => id));
  return [
    { title: 'ID', of: ({ id }) => short(id) },
    { title: 'STATE', of: stateOf, colour: colourOf },
    { title: 'WHY', of: ({ pausedWhy }) => oneLine(pausedWhy ?? ''), most: 40, least: 10, expendable: 3 },
    { title: 'OWED', of: ({ owed }) => String(owed) },
    { title: 'RUNNING', of: ({ running }) => String(running), expendable: 2 },
    { title: 'UPDATED', of: ({ updatedAt }) => `${durationInWords(now - Date.parse(updatedAt))} ago`, expendable: 1 },
    { title: 'TITLE', of: ({ title }) => oneLine(title), rest: true },
  ];
}

const stateOf = ({ state, closedAt }: SessionView): string => (closedAt === undefined ? state : 'closed');

function colourOf({ state, closedAt }: SessionView): 'green' | 'yellow' | 'dim' {
  if (closedAt !== undefined) return 'dim';
  return state === 'waiting' || state === 'paused' ? 'yellow' : 'green';
}
