/**
 * Which commands a person should see before they run.
 *
 * The list is small: what cannot be undone and is hardly ever meant, what decides who comes in or what runs later, and
 * what works on Rouse itself. It is a net for accidents and for text that talks an agent into something, not a sandbox:
 * a program that is run may do whatever it likes.
 *
 *   1. A command is judged by what it would run, however it is quoted, spelled, wrapped or nested.
 *   2. What cannot be read, or whose meaning only the shell will know, is a doubt where it matters: as the name of a
 *      command, as what is deleted with all that is in it, as what a shell is given to run.
 *   3. Judging takes a bounded number of steps, whatever the text. More than that is a doubt.
 */
import { baseName, danger, doubt, worst, type Call, type Finding, type Scene } from './shell-call.js';
import { codeIn, dangerInCode, INTERPRETER } from './code-strings.js';
import { dangerOf } from './danger.js';
import { redirectsInto, runsRouse, touchesRouse, writesFiles } from './files-used.js';
import { isInteractiveShell, programWithin, scriptsIn } from './nested-scripts.js';
import { readScript, type ShellCommand, type Standing } from './shell-script.js';
import { pay, TOO_LONG, type Problem, type Steps } from './shell-tree.js';
import { UNKNOWN, type ShellWord } from './shell-word.js';
import type { Homes } from './vital-path.js';

/** Where the command would run: the person's home, the home of Rouse, and the folder it starts in. */
export type Surroundings = Homes & { readonly cwd: string };

/** A tenth of a second at most, mostly far less. */
export const BUDGET = 2_000_000;

/** Undefined for what runs without a question. */
export function whyRiskyCommand(command: string, where: Surroundings): string | undefined {
  const { finding, unread } = judged(command, where, startOf(where));
  return finding?.kind === 'danger' ? finding.why : (unread?.why ?? finding?.why);
}

export const startOf = ({ home, rouseHome, cwd }: Surroundings): Standing => ({
  folders: [cwd],
  variables: { HOME: [home], ROUSE_HOME: [rouseHome], PWD: [cwd], ...CONVENTIONAL },
});

/** What these name by convention, unless the script sets them. */
const CONVENTIONAL = { CC: ['cc'], CXX: ['c++'], LD: ['ld'], AR: ['ar'], MAKE: ['make'], PYTHON: ['python3'] };

export type Judged = {
  readonly finding: Finding | undefined;
  /** What was not read of it; `open` when more text could complete it. */
  readonly unread: Problem | undefined;
  readonly standing: Standing;
  /** How many steps it took. */
  readonly steps: number;
};

/** Texts that are judged together take their steps from one budget. */
export function judged(
  script: string,
  { home, rouseHome }: Homes,
  standing: Standing,
  steps = { left: BUDGET },
): Judged {
  const before = steps.left;
  const result = judgeScript(script, { home, rouseHome, ...standing, steps, fed: false, depth: 0 });
  return { ...result, unread: steps.left < 0 ? TOO_LONG : result.unread, steps: before - steps.left };
}

const DEEPEST = 8;

function judgeScript(script: string, scene: Scene): Omit<Judged, 'steps'> {
  if (scene.depth > DEEPEST) return { finding: doubt('it is nested too deeply'), unread: undefined, standing: scene };
  const { commands, problem, ...standing } = readScript(script, scene, scene.steps, scene.fed);
  const finding = worst(commands, (command) => judgeCommand(command, { ...scene, ...standing }));
  const unread = problem && { ...problem, why: `it cannot be parsed: ${problem.why}` };
  return { finding, unread, standing };
}

/** For a script inside another: what was not read of it is a doubt. */
function findingIn(script: string, scene: Scene): Finding | undefined {
  const { finding, unread } = judgeScript(script, scene);
  return finding?.kind === 'danger' ? finding : unread ? doubt(unread.why) : finding;
}

/** To see where a word would lead costs as much as to read so many characters. */
const STEPS_A_PATH = 300;

function judgeCommand(command: ShellCommand, scene: Scene): Finding | undefined {
  const { words, redirects, folders, inFunction } = command;
  const [head] = words;
  if (!pay(scene.steps, STEPS_A_PATH * (1 + words.length + redirects.length) * folders.length))
    return doubt(TOO_LONG.why);
  if (head && head.text === inFunction && command.fed) return danger('it starts itself endlessly');
  const call = callOf(command, scene);
  return worst([redirectsInto, (one: Call) => head && judgeCall(head, one)], (rule) => rule(call));
}

const callOf = ({ words: [head, ...args], ...command }: ShellCommand, scene: Scene): Call => ({
  ...command,
  name: baseName(head?.text ?? ''),
  args,
  scene: { ...scene, folders: command.folders },
});

const UNKNOWN_PROGRAM = doubt('it is unclear which program it runs');

function judgeCall(head: ShellWord, call: Call): Finding | undefined {
  if (isNameUnknown(head)) return UNKNOWN_PROGRAM;
  return worst(
    [dangerOf, runsRouse, touchesRouse, writesFiles, judgeScriptsIn, judgeCodeIn, judgeProgramWithin],
    (rule) => rule(call),
  );
}

/** A program in a folder that is not known is still known by its own name. */
const isNameUnknown = ({ text, splits }: ShellWord): boolean =>
  splits || baseName(text).includes(UNKNOWN) || (/[*?[]/.test(text) && !/^\[\[?$/.test(text));

const inside = ({ scene, fed }: Call): Scene => ({ ...scene, fed, depth: scene.depth + 1 });

const judgeScriptsIn = (call: Call): Finding | undefined =>
  worst(scriptsIn(call), (given) => {
    if (given.kind === 'unknown') return doubt(given.why);
    const finding = findingIn(given.script, inside(call));
    return given.kind === 'perhaps' && finding?.kind === 'doubt' ? undefined : finding;
  });

function judgeCodeIn(call: Call): Finding | undefined {
  if (!INTERPRETER.test(call.name)) return undefined;
  return worst(codeIn(call), (code) => dangerInText(code, inside(call)));
}

/** What `sudo`, `env`, `xargs`, `find -exec`, `ssh` … would run. */
function judgeProgramWithin(call: Call): Finding | undefined {
  const { program, isUnknown } = programWithin(call);
  return (program && judgeProgram(program, call)) ?? (isUnknown ? UNKNOWN_PROGRAM : undefined);
}

function judgeProgram([head, ...args]: readonly ShellWord[], call: Call): Finding | undefined {
  if (!pay(call.scene.steps, STEPS_A_PATH * (1 + args.length))) return doubt(TOO_LONG.why);
  const inner = { ...call, name: baseName(head?.text ?? ''), args };
  return worst([dangerOf, runsRouse, writesFiles, judgeScriptsIn, judgeCodeIn], (rule) => rule(inner));
}

/** For text that another program reads as code, such as the input of an interpreter. */
export const dangerInText = (code: string, scene: Scene): Finding | undefined =>
  dangerInCode(code, scene, (script) => findingIn(script, scene));

/** Whether a process takes its input for commands: then every line of it is one. */
export function readsCommands(command: string, where: Surroundings): boolean {
  const standing = startOf(where);
  const steps: Steps = { left: BUDGET };
  const { commands, problem } = readScript(command, standing, steps, false);
  return (
    problem !== undefined ||
    commands.some((one) => {
      const [head] = one.words;
      if (!head) return false;
      const call = callOf(one, { ...where, ...standing, steps, fed: false, depth: 0 });
      const [inner, ...args] = programWithin(call).program ?? [];
      return (
        isNameUnknown(head) ||
        isInteractiveShell(call) ||
        (inner !== undefined && isInteractiveShell({ ...call, name: baseName(inner.text), args }))
      );
    })
  );
}
