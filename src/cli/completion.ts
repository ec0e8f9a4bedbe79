import { Argument, type Command } from 'commander';
import { Signal } from '../contract/signal.js';
import { answer, type Caller } from './caller.js';
import { DONE, ID, type AddCommand } from './command.js';
import { clientOf } from './host.js';

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

type Shell = keyof typeof SCRIPTS;

export const addCompletion: AddCommand = (program, caller, ends) => {
  program
    .command('completion')
    .description('print a completion script: source <(rouse completion bash)')
    .addArgument(new Argument('<shell>', 'for which shell').choices(Object.keys(SCRIPTS)))
    .action(
      ends(async (shell: Shell) => {
        answer(caller, SCRIPTS[shell]);
        return DONE;
      }),
    );
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(
      ends(async (words: string[]) => {
        for (const candidate of await candidates(program, caller, words)) answer(caller, candidate);
        return DONE;
      }),
    );
};

/** What the last word may become. */
async function candidates(program: Command, caller: Caller, words: readonly string[]): Promise<readonly string[]> {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (before.includes('--')) return [];
  const beginsSo = (candidate: string) => candidate.startsWith(last);
  const names = program.commands.map((command) => command.name()).filter((name) => !name.startsWith('__'));
  const command = program.commands.find((command) => command.name() === before[0]);
  if (!command) return before.length === 0 || before[0] === 'help' ? [...names, 'help'].filter(beginsSo) : [];
  const wanted = command.options.find(({ long, short, required }) => required && [long, short].includes(before.at(-1)));
  if (wanted) return wanted.long === '--signal' ? signals().filter(beginsSo) : [];
  if (last.startsWith('-')) return optionsOf(command).filter(beginsSo);
  const [argument] = command.registeredArguments;
  if (argument?.argChoices) return argument.argChoices.filter(beginsSo);
  if (argument?.description !== ID || (before.length > 1 && !argument.variadic)) return [];
  const ids = await idsFor(caller, command.name() === 'logs' || command.name() === 'wait');
  return ids.filter((id) => beginsSo(id) || id.startsWith(`proc_${last}`));
}

const optionsOf = ({ options }: Command): string[] =>
  options
    .filter(({ hidden }) => !hidden)
    .flatMap(({ long, short }) => [long, short].filter((flag) => flag !== undefined));

const signals = (): string[] => Signal.out.options.map((name) => name.replace('SIG', ''));

/** What has ended can still be read, and can no longer be written to or ended. */
async function idsFor(caller: Caller, ended: boolean): Promise<readonly string[]> {
  const processes = await clientOf(caller).list({ limit: 1_000 });
  return processes.filter(({ state }) => ended || state !== 'ended').map(({ id }) => id);
}
