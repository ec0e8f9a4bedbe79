/** Programs in other languages are not read, but the commands and paths that they plainly spell out are. */
import { danger, pathsOf, worst, type Call, type Finding, type Scene } from './shell-call.js';
import { pay, type Steps } from './shell-tree.js';
import { isVital, mayBeWithin } from './vital-path.js';

export const INTERPRETER =
  /^(?:python[\d.]*|ipython[\d.]*|pypy[\d.]*|perl[\d.]*|ruby[\d.]*|irb|node|nodejs|bun|deno|tsx|ts-node|php|lua|luajit|R|Rscript|julia|awk|gawk|mawk|osascript|psql|mysql|sqlite3|gdb)$/;

/** What hands a text to a shell or starts a program. */
const RUNS =
  /system|exec|spawn|popen|subprocess|check_call|check_output|child_process|\bqx\b|%x|shell|`|\$\(|execa|Bun\.|\\!|\bgetline\b|\|/i;
const DELETES = /rmtree|removedirs|\brm\w*\s*\(|rm_r|unlink|remove|rimraf|rmdir|\.rm\b|truncate/i;
/** The code that a call of an interpreter is given: in its arguments, or as its input. */
export const codeIn = ({ args, redirects }: Call): readonly string[] => [
  ...args.map(({ text }) => text),
  ...redirects.flatMap(({ body }) => (body ? [body.text] : [])),
];

export function dangerInCode(
  code: string,
  scene: Scene,
  judge: (script: string) => Finding | undefined,
): Finding | undefined {
  const literals = literalsIn(code, scene.steps);
  const texts = literals.map(({ text }) => text);
  return (
    worst(texts, (text) => dangerOfPath(text, code, scene)) ??
    (RUNS.test(code) ? onlyDanger(worst([...texts, ...listsOf(literals, code)], judge)) : undefined)
  );
}

type Literal = { readonly text: string; readonly from: number; readonly to: number };

/** Longer ones are no command that somebody would spell out; so every quote costs a bounded look ahead. */
const LONGEST = 400;
const STEPS_A_CHARACTER = 8;

function literalsIn(code: string, steps: Steps): readonly Literal[] {
  const found: Literal[] = [];
  for (let at = 0; at < code.length && steps.left >= 0; at += 1) {
    const quote = code[at];
    if (quote !== '"' && quote !== "'" && quote !== '`') continue;
    let end = at + 1;
    while (end < code.length && end - at <= LONGEST && code[end] !== quote) end += code[end] === '\\' ? 2 : 1;
    if (!pay(steps, STEPS_A_CHARACTER * (end - at)) || code[end] !== quote) continue;
    found.push({ text: code.slice(at + 1, end), from: at, to: end + 1 });
    at = end;
  }
  return found;
}

/** What cannot be read in a string of another language means nothing. */
const onlyDanger = (found: Finding | undefined): Finding | undefined => (found?.kind === 'danger' ? found : undefined);

function dangerOfPath(text: string, code: string, scene: Scene): Finding | undefined {
  if (!/^(?:[~/]|\.\.?(?:\/|$))/.test(text) || text.length > 4_096) return undefined;
  const paths = pathsOf(text.replace(/^~(?=\/|$)/, scene.home), scene);
  if (paths.some((path) => mayBeWithin(path, scene.rouseHome))) return danger('it uses the home of Rouse');
  return DELETES.test(code) && paths.some((path) => isVital(path, scene)) ? danger(`it deletes ${text}`) : undefined;
}

const BETWEEN = 40;

/** `['rm', '-rf', '/']`: literals with nothing but commas and brackets between them are the words of one command. */
function listsOf(literals: readonly Literal[], code: string): readonly string[] {
  const lists: string[] = [];
  let words: string[] = [];
  for (const [index, { text, from }] of literals.entries()) {
    const before = code.slice(literals[index - 1]?.to ?? from, from);
    const goesOn = before.length > 0 && before.length <= BETWEEN && /^[\s,[\]]+$/.test(before);
    if (!goesOn) words = [];
    words.push(`'${text.replaceAll("'", '')}'`);
    if (words.length > 1 && words.length <= 20) lists.push(words.join(' '));
  }
  return lists;
}
