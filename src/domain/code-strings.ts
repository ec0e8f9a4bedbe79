/** Programs in other languages are not read, but the commands and paths that they plainly spell out are. */
import { pathsOf, type Call, type Scene } from './call.js';
import { danger, worst, type Finding } from './finding.js';
import { isVital, mayBeWithin } from './vital-path.js';

export const INTERPRETER =
  /^(?:python[\d.]*|ipython[\d.]*|pypy[\d.]*|perl[\d.]*|ruby[\d.]*|irb|node|nodejs|bun|deno|tsx|ts-node|php|lua|luajit|R|Rscript|julia|awk|gawk|mawk|osascript|psql|mysql|sqlite3|gdb)$/;

/** What hands a text to a shell or starts a program. */
const RUNS =
  /system|exec|spawn|popen|subprocess|check_call|check_output|child_process|\bqx\b|%x|shell|`|\$\(|execa|Bun\.|\\!|\bgetline\b|\|/i;
const DELETES = /rmtree|removedirs|\brm\w*\s*\(|rm_r|unlink|remove|rimraf|rmdir|\.rm\b|truncate/i;
const STRING = /(["'`])((?:(?!\1)[^\\]|\\[^])*)\1/g;

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
  scene.steps.left -= Math.ceil(code.length / 4);
  const strings = [...code.matchAll(STRING)].map(([, , inner = '']) => inner);
  return (
    worst(strings, (text) => dangerOfPath(text, code, scene)) ??
    (RUNS.test(code) ? onlyDanger(worst([...strings, ...lists(code)], judge)) : undefined)
  );
}

/** What cannot be read in a string of another language means nothing. */
const onlyDanger = (found: Finding | undefined): Finding | undefined => (found?.kind === 'danger' ? found : undefined);

function dangerOfPath(text: string, code: string, scene: Scene): Finding | undefined {
  if (!/^(?:[~/]|\.\.?(?:\/|$))/.test(text) || text.length > 4_096) return undefined;
  const paths = pathsOf(text.replace(/^~(?=\/|$)/, scene.home), scene);
  if (paths.some((path) => mayBeWithin(path, scene.rouseHome))) return danger('it works on the home of Rouse');
  return DELETES.test(code) && paths.some((path) => isVital(path, scene)) ? danger(`it deletes ${text}`) : undefined;
}

/** `['rm', '-rf', '/']`: the words of one command. */
const lists = (code: string): readonly string[] =>
  [...code.matchAll(/(?:["'][^"'\n]{0,200}["']\s{0,20},\s{0,20}\[?\s{0,20}){1,50}["'][^"'\n]{0,200}["']/g)].map(
    ([list]) => [...list.matchAll(/["']([^"'\n]*)["']/g)].map(([, word = '']) => `'${word}'`).join(' '),
  );
