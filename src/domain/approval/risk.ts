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
import { baseName, isUnknown, type Call, type Scene } from './call.js';
import { codeIn, dangerInCode, INTERPRETER } from './code-strings.js';
import { dangerOf } from './danger.js';
import { danger, doubt, worst, type Finding } from './finding.js';
import { afterClose, afterCommand, beforeCommand, foldersFor, startIn, type Opening } from './folders.js';
import { isInteractiveShell, programWithin, scriptsIn } from './nested-scripts.js';
import { runsRouse } from './rouse-command.js';
import { pay, TOO_LONG, type Problem, type Steps, type Variables, type Word } from './shell-cursor.js';
import type { ShellCommand, ShellEvent } from './shell-reading.js';
import { readScript } from './shell-script.js';
import type { Homes } from './vital-path.js';
import { redirectsInto, touchesRouse, writesFiles } from './writes.js';

/** Where the command would run: the person's home, the home of Rouse, and the folder it starts in. */
export type Surroundings = Homes & { readonly cwd: string };

/** Enough for a here-document as long as a command may be; a tenth of a second at most, mostly far less. */
export const BUDGET = 200_000;

/** Undefined for what runs without a question. */
export function whyRiskyCommand(command: string, where: Surroundings): string | undefined {
  const { finding, unread } = judged(command, where, startOf(where));
  return finding?.kind === 'danger' ? finding.why : (unread?.why ?? finding?.why);
}

/** What a shell keeps from one line to the next. */
export type Standing = { readonly folders: readonly string[]; readonly variables: Variables };

export const startOf = ({ home, rouseHome, cwd }: Surroundings): Standing => ({
  folders: [cwd],
  variables: { HOME: [home], ROUSE_HOME: [rouseHome], PWD: [cwd] },
});

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
  const unread = steps.left < 0 ? { why: TOO_LONG, open: false } : result.unread;
  return { ...result, unread, steps: before - steps.left };
}

const DEEPEST = 8;

function judgeScript(script: string, scene: Scene): Omit<Judged, 'steps'> {
  if (scene.depth > DEEPEST)
    return { finding: doubt('it is nested too deeply to be read'), unread: undefined, standing: scene };
  const { events, variables, problem } = readScript(script, scene);
  const { finding, folders } = walkThrough(events, { ...scene, variables });
  const unread = problem && { why: `it cannot be read with certainty: ${problem.why}`, open: problem.open };
  return { finding, unread, standing: { folders, variables } };
}

/** For a script inside another: what was not read of it is a doubt. */
function findingIn(script: string, scene: Scene): Finding | undefined {
  const { finding, unread } = judgeScript(script, scene);
  return finding?.kind === 'danger' ? finding : unread ? doubt(unread.why) : finding;
}

/** Every command in the folders where it may find itself. */
function walkThrough(events: readonly ShellEvent[], scene: Scene) {
  const outside: Opening[] = [];
  let where = startIn(scene.folders);
  let found: Finding | undefined;
  for (const event of events) {
    if (scene.steps.left < 0 || found?.kind === 'danger') break;
    switch (event.kind) {
      case 'open': {
        const before = beforeCommand(where, event.joint);
        outside.push({ before, subshell: event.subshell, joint: event.joint });
        where = startIn(foldersFor(before, event.joint), before.strict);
        found = isForkBomb(event.name, events, scene) ? FORK_BOMB : found;
        break;
      }
      case 'close': {
        const opening = outside.pop();
        where = opening ? afterClose(where, opening) : where;
        break;
      }
      case 'command': {
        where = beforeCommand(where, event.joint);
        const finding = judgeCommand(event, { ...scene, folders: foldersFor(where, event.joint) });
        found = finding?.kind === 'danger' ? finding : (found ?? finding);
        where = afterCommand(where, event, scene);
      }
    }
  }
  return { finding: found, folders: [...new Set([...where.here, ...where.otherwise])] };
}

const FORK_BOMB = danger('it starts itself without end');

/** A function that is piped into itself. */
function isForkBomb(name: string | undefined, events: readonly ShellEvent[], { steps }: Scene): boolean {
  if (name === undefined) return false;
  if (!pay(steps, events.length)) return false;
  return events.some((event, index) => {
    const before = events[index - 1];
    if (event.kind !== 'command' || before?.kind !== 'command' || event.joint !== 'pipe') return false;
    return event.words[0]?.text === name && before.words[0]?.text === name;
  });
}

function judgeCommand({ words, redirects, fed }: ShellCommand, scene: Scene): Finding | undefined {
  const cost = STEPS_A_PATH * (1 + words.length + redirects.length) * scene.folders.length;
  if (!pay(scene.steps, cost)) return doubt(TOO_LONG);
  const given = withoutAssignments(words);
  const around = { redirects, fed: fed || redirects.some(({ operator }) => operator.startsWith('<')), scene };
  const call: Call = { ...around, name: baseName(given[0]?.text ?? ''), args: given.slice(1) };
  return worst([redirectsInto, (one: Call) => (given.length > 0 ? judgeCall(given, one) : undefined)], (rule) =>
    rule(call),
  );
}

/** To see where a word would lead costs as much as to read so many characters. */
const STEPS_A_PATH = 20;

const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

const withoutAssignments = (words: readonly Word[]): readonly Word[] => {
  const head = words.findIndex(({ text }) => !ASSIGNMENT.test(text));
  return head < 0 ? [] : words.slice(head);
};

function judgeCall([head, ...args]: readonly Word[], call: Call): Finding | undefined {
  if (!head) return undefined;
  if (isNameUnknown(head)) return doubt('it cannot be told which program it runs');
  return worst(
    [dangerOf, runsRouse, touchesRouse, writesFiles, judgeScriptsIn, judgeCodeIn, judgeProgramWithin],
    (rule) => rule({ ...call, args }),
  );
}

/** A program in a folder that is not known is still known by its own name. */
const isNameUnknown = (head: Word): boolean =>
  head.splits ||
  isUnknown({ ...head, text: baseName(head.text) }) ||
  (/[*?[]/.test(head.text) && !/^\[\[?$/.test(head.text));

const judgeScriptsIn = (call: Call): Finding | undefined =>
  worst(scriptsIn(call), (given) => {
    if (given.kind === 'unknown') return doubt(given.why);
    const scene = { ...call.scene, fed: call.fed, depth: call.scene.depth + 1 };
    const finding = findingIn(given.script, scene);
    return given.kind === 'perhaps' && finding?.kind === 'doubt' ? undefined : finding;
  });

function judgeCodeIn(call: Call): Finding | undefined {
  if (!INTERPRETER.test(call.name)) return undefined;
  const scene = { ...call.scene, depth: call.scene.depth + 1 };
  return worst(codeIn(call), (code) => dangerInCode(code, scene, (script) => findingIn(script, scene)));
}

/** What `sudo`, `env`, `xargs`, `find -exec`, `ssh` … would run. */
function judgeProgramWithin(call: Call): Finding | undefined {
  const { candidates, isUnknown: unknown } = programWithin(call);
  const found = worst(candidates, (words) => {
    if (!pay(call.scene.steps, STEPS_A_PATH * words.length)) return doubt(TOO_LONG);
    const [head, ...args] = withoutAssignments(words);
    const inner = { ...call, name: baseName(head?.text ?? ''), args };
    return worst([dangerOf, runsRouse, writesFiles, judgeScriptsIn, judgeCodeIn], (rule) => rule(inner));
  });
  return found ?? (unknown ? doubt('it cannot be told which program it runs') : undefined);
}

/** For text that another program reads as code, such as the input of an interpreter. */
export function dangerInText(code: string, homes: Homes, standing: Standing, steps: Steps): Finding | undefined {
  const scene: Scene = { ...homes, ...standing, steps, fed: false, depth: 1 };
  return dangerInCode(code, scene, (script) => findingIn(script, scene));
}

/** Whether a process takes its input for commands: then every line of it is one. */
export function readsCommands(command: string, where: Surroundings): boolean {
  const steps = { left: BUDGET };
  const standing = startOf(where);
  const { events, variables, problem } = readScript(command, { ...standing, steps, fed: false });
  const scene: Scene = { ...where, folders: standing.folders, variables, steps, fed: false, depth: 0 };
  if (problem) return true;
  return events.some((event) => {
    if (event.kind !== 'command') return false;
    const [head, ...args] = withoutAssignments(event.words);
    if (!head) return false;
    const call: Call = { name: baseName(head.text), args, redirects: event.redirects, fed: event.fed, scene };
    return (
      isNameUnknown(head) ||
      isInteractiveShell(call) ||
      programWithin(call).candidates.some(([inner, ...rest]) =>
        isInteractiveShell({ ...call, name: baseName(inner?.text ?? ''), args: rest }),
      )
    );
  });
}
