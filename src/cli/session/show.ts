import { isCut, RouseProblem, type RouseClient } from '../../client/client.js';
import { followJournal } from '../../client/follow.js';
import { blank, entriesAfter, fold, openQuestions, type Screen } from '../../client/screen.js';
import type { QuestionView } from '../../contract/message.js';
import { hostOf } from '../host/background.js';
import { answer, answerJson, say, type Caller } from '../caller.js';
import { SESSION_ID, type AddCommand } from '../command.js';
import { JournalPrinter } from '../print/journal-printer.js';
import { wholeNumber } from '../print/parse.js';
import { oneLine } from '../print/printable.js';
import { interruptible } from '../signals.js';

type Options = { follow?: boolean; entries: number; json?: boolean };

export const addShow: AddCommand = (program, caller, ends) => {
  program
    .command('show')
    .description('show the messages and actions of a session')
    .argument('<session>', SESSION_ID)
    .option('-f, --follow', 'keep showing new entries')
    .option('--entries <n>', 'begin with the last n entries', wholeNumber(0, 5_000), 200)
    .option('--json', 'print it as JSON; with --follow one entry per line')
    .action(
      ends((session: string, options: Options) =>
        options.follow
          ? interruptible((signal) => follow(caller, session, options, signal))
          : show(caller, session, options),
      ),
    );
};

async function show(caller: Caller, typed: string, { entries, json }: Options): Promise<void> {
  const client = await hostOf(caller);
  const snapshot = await client.session(typed, { entries });
  if (json) return answerJson(caller, snapshot);
  const { session, waiting } = snapshot;
  const screen = fold(blank(session.id), { kind: 'snapshot', ...snapshot });
  new JournalPrinter(caller).show(screen, await openOn(client, screen));
  if (snapshot.entries.length === 0)
    say(caller, `The session is empty. To send a message: rouse send ${session.id} TEXT`);
  for (const { text } of waiting) say(caller, `Waiting message: ${oneLine(text)}`);
  if (session.pausedWhy !== undefined)
    say(caller, `Wakes are paused: ${oneLine(session.pausedWhy)}. To continue: rouse resume ${session.id}`);
}

async function follow(caller: Caller, typed: string, { entries, json }: Options, signal: AbortSignal): Promise<void> {
  const client = await hostOf(caller);
  const { id } = (await client.session(typed, { entries: 0 })).session;
  const printer = new JournalPrinter(caller);
  let screen = blank(id);
  for await (const event of followJournal(client, { session: id, entries, signal })) {
    const { seq } = screen;
    screen = fold(screen, event);
    if (json) {
      for (const entry of entriesAfter(screen, seq)) answer(caller, JSON.stringify({ entry }));
      continue;
    }
    const mayAsk = event.kind === 'snapshot' || (event.kind === 'entry' && event.entry.kind === 'question');
    printer.show(screen, mayAsk ? await client.persist(() => openOn(client, screen), { signal }) : []);
  }
}

/** The open questions on the screen, exactly as they were asked; none for a process that may not answer them. */
async function openOn(client: RouseClient, screen: Screen): Promise<readonly QuestionView[]> {
  if (openQuestions(screen).length === 0) return [];
  return client.questions(screen.session).catch((error: unknown) => {
    if (error instanceof RouseProblem && !isCut(error)) return [];
    throw error;
  });
}
