import { Argument, type Command, type Option } from 'commander';
import { NoticeState } from '../contract/notice.js';
import { type ProcessView, Signal } from '../contract/process.js';
import { answer, type Caller } from './caller.js';
import { ID, NOTICE_ID, NOTICE_OR_PROCESS, SESSION_ID, type AddCommand } from './command.js';
import { clientOf } from './host/find-host.js';

/** Every script asks `rouse __complete` with the words so far; where that knows nothing, files are offered. */
const SCRIPTS = {
  bash: `_rouse() {
  local IFS=$'\\n'
  COMPREPLY=($(rouse __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null))
}
complete -o default -F _rouse rouse`,
  zsh: `#compdef rouse
_rouse() {
  local -a found
  found=("\${(@f)$(rouse __complete -- "\${(@)words[2,CURRENT]}" 2> /dev/null)}")
  if [[ -n $found ]]; then compadd -- $found; else _files; fi
}
compdef _rouse rouse`,
  fish: `complete -c rouse -f -n 'not contains -- -- (commandline -opc)' \\
  -a '(rouse __complete -- (commandline -opc)[2..] (commandline -ct) 2> /dev/null)'`,
} as const;

export const addCompletion: AddCommand = (program, caller, ends) => {
  program
    .command('completion')
    .description('print a completion script: source <(rouse completion bash)')
    .addArgument(new Argument('<shell>', 'for which shell').choices(Object.keys(SCRIPTS)))
    .action(ends(async (shell: keyof typeof SCRIPTS) => answer(caller, SCRIPTS[shell])));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(
      ends(async (words: string[]) => {
        for (const candidate of await candidates(program, caller, words)) answer(caller, candidate);
      }),
    );
};

/** What the last word may become. */
async function candidates(program: Command, caller: Caller, words: readonly string[]): Promise<readonly string[]> {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (before.includes('--')) return [];
  const offered = await offeredAfter(program, caller, before, last.startsWith('-'));
  return offered.filter((word) => word.startsWith(last) || word.replace(PREFIX, '').startsWith(last));
}

/** An id is found without it, too. */
const PREFIX = /^(?:proc|ses|ntc)_/;

async function offeredAfter(program: Command, caller: Caller, before: readonly string[], option: boolean) {
  const { command, given } = commandAt(program, before);
  if (command === program) return given.length === 0 || given[0] === 'help' ? [...namesOf(program), 'help'] : [];
  const wanted = optionOf(command, given.at(-1));
  if (wanted) return valuesOf(wanted, caller);
  if (option) return flagsOf(command);
  const operands = given.filter((word, index) => !word.startsWith('-') && !optionOf(command, given[index - 1]));
  const ids = await operandsOf(command, operands.length, caller);
  return operands.length === 0 ? [...namesOf(command), ...ids] : ids;
}

/** The command that the words lead to, and the words behind it. */
function commandAt(command: Command, words: readonly string[]): { command: Command; given: readonly string[] } {
  const next = command.commands.find((nested) => nested.name() === words[0]);
  return next ? commandAt(next, words.slice(1)) : { command, given: words };
}

const namesOf = ({ commands }: Command): string[] =>
  commands.map((command) => command.name()).filter((name) => !name.startsWith('__'));

const flagsOf = ({ options }: Command): string[] =>
  options
    .filter(({ hidden }) => !hidden)
    .flatMap(({ long, short }) => [long, short].filter((flag) => flag !== undefined));

/** The option that this word is, if a value must follow it. */
const optionOf = ({ options }: Command, word: string | undefined): Option | undefined =>
  options.find(({ long, short, required }) => required && word !== undefined && [long, short].includes(word));

async function valuesOf({ long, argChoices }: Option, caller: Caller): Promise<readonly string[]> {
  if (long === '--signal') return Signal.out.options.map((name) => name.replace('SIG', ''));
  if (long === '--session') return sessionIds(caller);
  if (long === '--process') return processIds(caller);
  return argChoices ?? [];
}

async function operandsOf(command: Command, index: number, caller: Caller): Promise<readonly string[]> {
  const [first] = command.registeredArguments;
  const argument = first?.variadic ? first : command.registeredArguments[index];
  if (!argument) return [];
  switch (argument.description) {
    case ID:
      // What has ended can still be read, and can no longer be written to or ended.
      return processIds(caller, ['logs', 'wait'].includes(command.name()) ? () => true : hasNotEnded);
    case SESSION_ID:
      return sessionIds(caller);
    case NOTICE_ID:
      return noticeIds(caller, command.name() === 'retry' ? ['dead'] : ['pending', 'dead']);
    case NOTICE_OR_PROCESS:
      return [...(await noticeIds(caller)), ...(await processIds(caller))];
  }
  return argument.argChoices ?? [];
}

const hasNotEnded = ({ state }: ProcessView): boolean => state !== 'ended';

const processIds = async (caller: Caller, among: (process: ProcessView) => boolean = () => true) =>
  (await clientOf(caller).list({ limit: 1_000 })).filter(among).map(({ id }) => id);

const sessionIds = async (caller: Caller) => (await clientOf(caller).sessions()).map(({ id }) => id);

const noticeIds = async (caller: Caller, states: readonly NoticeState[] = NoticeState.options) =>
  (await clientOf(caller).notices()).filter(({ state }) => states.includes(state)).map(({ id }) => id);
