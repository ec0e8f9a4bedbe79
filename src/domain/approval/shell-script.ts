/**
 * The commands that a shell script may run, each with its words and the folders in which it may find itself.
 *
 *   1. Every command that a shell would run is in the list, also out of substitutions, functions and branches.
 *   2. A variable that is set in one place, and always, is known from there on; so are the words of a `for` loop.
 *   3. Here-documents are text, except where the shell expands them.
 *   4. The work is bounded by the steps it is given, and by a depth.
 */
import {
  forEachChild,
  type AndOr,
  type Assignment,
  type Command,
  type For,
  type HereDoc,
  type Redirected,
  type Redirection,
  type SyntaxNode,
  type Word,
} from 'unbash';
import { parsed, pay, TOO_LONG, type Problem, type ShellTree, type Steps } from './shell-tree.js';
import { expanded, expandedBody, isUnknown, UNKNOWN, valueOf, type ShellWord, type Variables } from './shell-word.js';
import { resolved, SOMEWHERE } from './vital-path.js';

export type ShellRedirect = {
  readonly operator: string;
  readonly target: ShellWord;
  /** The text of a here-document or here-string. */
  readonly body?: ShellWord;
};

export type ShellCommand = {
  readonly words: readonly ShellWord[];
  readonly redirects: readonly ShellRedirect[];
  /** All in which it may run. */
  readonly folders: readonly string[];
  /** Its input may be what another command wrote, or a file. */
  readonly fed: boolean;
  /** The command before it in the same pipeline. */
  readonly feeder?: ShellCommand | undefined;
  /** The function whose body it stands in. */
  readonly inFunction?: string | undefined;
};

/** What a shell keeps from one line to the next. */
export type Standing = { readonly folders: readonly string[]; readonly variables: Variables };

export type ShellScript = Standing & {
  readonly commands: readonly ShellCommand[];
  readonly problem?: Problem | undefined;
};

export function readScript(source: string, standing: Standing, steps: Steps, fed: boolean): ShellScript {
  const tree = parsed(source, steps);
  return 'why' in tree ? { commands: [], problem: tree, ...standing } : new Walk(tree, standing, steps).read(fed);
}

/** The folders after everything before succeeded, and after something failed. */
type Whereabouts = {
  readonly here: readonly string[];
  readonly otherwise: readonly string[];
  /** The script ends at the first failure. */
  readonly strict: boolean;
  /** What follows is not reached: the script, the function or the loop was left. */
  readonly left: boolean;
};

const startIn = (folders: readonly string[], strict = false): Whereabouts => ({
  here: folders,
  otherwise: [],
  strict,
  left: false,
});

const MOST_FOLDERS = 12;
const LONGEST_FOLDER = 500;

/** Beyond a number of possible folders, and beyond a length, it may be any. */
function united(...lists: readonly (readonly string[])[]): readonly string[] {
  const all = [...new Set(lists.flat().map((path) => (path.length > LONGEST_FOLDER ? SOMEWHERE : path)))];
  return all.length > MOST_FOLDERS ? [...all.slice(0, MOST_FOLDERS - 1), SOMEWHERE] : all;
}

type Context = {
  readonly depth: number;
  readonly fed: boolean;
  readonly feeder?: ShellCommand | undefined;
  readonly inFunction?: string | undefined;
  /** It runs when what stands before it failed. */
  readonly afterFailure: boolean;
  /** It runs in any case, and in this shell. */
  readonly always: boolean;
};

const BLOCKS: ReadonlySet<SyntaxNode['type']> = new Set([
  'If',
  'While',
  'For',
  'Case',
  'Select',
  'ArithmeticFor',
  'BraceGroup',
  'Coproc',
]);

const DEEPEST = 64;
const STEPS_A_NODE = 100;
const MOST_VALUES = 200;

class Walk {
  readonly #commands: ShellCommand[] = [];
  readonly #isSetOnce: (name: string) => boolean;
  #variables: Variables;
  #problem?: Problem;

  constructor(
    readonly tree: ShellTree,
    readonly standing: Standing,
    readonly steps: Steps,
  ) {
    const counts = bareNames(tree.text);
    this.#isSetOnce = (name) => counts.get(name) === 1;
    this.#variables = Object.fromEntries(Object.entries(standing.variables).filter(([name]) => !counts.has(name)));
  }

  read(fed: boolean): ShellScript {
    const { script, problem } = this.tree;
    this.tree.errorsIn(script);
    const context = { depth: 0, fed, afterFailure: false, always: true };
    const { here, otherwise } = this.#children(script, startIn(this.standing.folders), context);
    return {
      commands: this.#commands,
      variables: this.#variables,
      folders: united(here, otherwise),
      problem: this.#problem ?? problem(),
    };
  }

  #children(node: SyntaxNode, where: Whereabouts, context: Context): Whereabouts {
    let reached = where;
    forEachChild(node, (child) => (reached = this.#visit(child, reached, context)));
    return reached;
  }

  #visit(node: SyntaxNode, where: Whereabouts, around: Context): Whereabouts {
    if (around.depth > DEEPEST || !pay(this.steps, STEPS_A_NODE)) {
      this.#problem ??= this.steps.left < 0 ? TOO_LONG : { why: 'it is nested too deeply', open: false };
      return where;
    }
    const context = { ...around, depth: around.depth + 1 };
    if (node.type === 'Command') return this.#command(node, where, context);
    if (node.type === 'Pipeline') return this.#pipeline(node.commands, where, context);
    if (node.type === 'AndOr') return this.#andOr(node, where, context);
    if (node.type === 'Statement')
      return this.#visit(node.command, settled(where), { ...context, always: context.always && !node.background });
    if (node.type === 'Redirected') return this.#redirected(node, where, context);
    if (node.type === 'Function')
      return this.#visit(node.body, where, { ...context, always: false, inFunction: node.name.value });
    if (node.type === 'Script') this.tree.errorsIn(node);
    if (node.type === 'For') this.#bindLoop(node);
    if (isMisread(node)) this.#problem ??= { why: 'a substitution inside ${…}', open: false };
    const isSubshell = node.type === 'Script' || node.type === 'Subshell';
    if (!isSubshell && !BLOCKS.has(node.type)) return this.#children(node, where, context);
    const after = this.#block(node, where, context);
    return isSubshell ? where : after;
  }

  #andOr({ commands, operators }: AndOr, where: Whereabouts, context: Context): Whereabouts {
    return commands.reduce((reached, command, index) => {
      const afterFailure = operators[index - 1] === '||';
      return this.#visit(command, reached, { ...context, afterFailure, always: context.always && index === 0 });
    }, where);
  }

  /** It may have run, or not. */
  #block(node: SyntaxNode, where: Whereabouts, context: Context): Whereabouts {
    const inner = startIn(foldersFor(where, context), where.strict);
    const inside = this.#children(node, inner, { ...context, always: false, afterFailure: false });
    if (context.afterFailure && inside.left) return { ...where, otherwise: [] };
    return { ...where, here: united(inside.here, inside.otherwise, where.here) };
  }

  #pipeline(commands: readonly SyntaxNode[], where: Whereabouts, context: Context): Whereabouts {
    const [only] = commands;
    if (only && commands.length === 1) return this.#visit(only, where, context);
    let feeder: ShellCommand | undefined;
    let last = where;
    for (const [index, command] of commands.entries()) {
      const input = index > 0 ? { fed: true, feeder } : {};
      last = this.#visit(command, where, { ...context, ...input, always: false });
      feeder = command.type === 'Command' ? this.#commands.at(-1) : undefined;
    }
    // Some shells run the last command of a pipeline themselves.
    return { ...where, here: united(where.here, last.here) };
  }

  #command(node: Command, where: Whereabouts, context: Context): Whereabouts {
    const words = [...(node.name ? [node.name] : []), ...node.args].flatMap((word) => this.#words(word));
    this.#children(node, startIn(foldersFor(where, context)), { ...context, always: false, afterFailure: false });
    this.#add(words, this.#redirects(node.redirects), where, context);
    if (context.always) this.#assign(node);
    return this.#after(words, where, context);
  }

  /** What is redirected into a group is the input of every command in it. */
  #redirected({ command, redirects }: Redirected, where: Whereabouts, context: Context): Whereabouts {
    for (const redirect of redirects) this.#children(redirect, where, { ...context, always: false });
    const { fed } = this.#add([], this.#redirects(redirects), where, context);
    return this.#visit(command, where, { ...context, fed, feeder: undefined });
  }

  #add(
    words: readonly ShellWord[],
    redirects: readonly ShellRedirect[],
    where: Whereabouts,
    { fed, feeder, inFunction, afterFailure }: Context,
  ): ShellCommand {
    const isFed = fed || redirects.some(({ operator }) => operator.startsWith('<'));
    const folders = foldersFor(where, { afterFailure });
    const command = { words, redirects, folders, fed: isFed, feeder, inFunction };
    this.#commands.push(command);
    return command;
  }

  #words(word: Word | Assignment): readonly ShellWord[] {
    if (word.type === 'Word') return expanded(word, this.#variables);
    const name = `${word.name}${word.append ? '+' : ''}=`;
    if (word.value.type === 'ArrayValue') return [{ text: `${name}${UNKNOWN}`, splits: false }];
    return expanded(word.value, this.#variables, name);
  }

  #redirects(redirects: readonly Redirection[]): readonly ShellRedirect[] {
    return redirects.flatMap((one) => {
      const { operator } = one;
      if (one.type === 'HereDoc') {
        const body = { text: this.#bodyOf(one), splits: false };
        return [{ operator, target: { text: one.delimiter?.value ?? '', splits: false }, body }];
      }
      const targets = one.target ? expanded(one.target, this.#variables) : [];
      return targets.map((target) => ({ operator, target, ...(operator === '<<<' && { body: target }) }));
    });
  }

  #bodyOf(document: HereDoc): string {
    const cut = this.tree.bodyOf(document);
    const { parts, text } = document.body;
    if (document.delimiter?.quoted) return cut ?? text;
    if (cut === undefined) return parts ? expandedBody(parts, this.#variables) : text;
    return cut.replace(/\$(\w+)/g, (_, name: string) => valueOf(name, this.#variables)[0] ?? UNKNOWN);
  }

  #assign({ name, prefix, args }: Command): void {
    if (name && name.value !== 'export') return;
    for (const one of name ? args : prefix) {
      if (one.type !== 'Assignment' || one.append || one.index || one.value.type !== 'Word') continue;
      this.#bind(one.name, expanded(one.value, this.#variables));
    }
  }

  #bindLoop({ name, wordlist = [] }: For): void {
    this.#bind(
      name.value,
      wordlist.flatMap((word) => expanded(word, this.#variables)),
    );
  }

  #bind(name: string, values: readonly ShellWord[]): void {
    const isKnown = values.length > 0 && !values.some((value) => value.splits || isUnknown(value));
    const fits = values.length <= MOST_VALUES && Object.keys(this.#variables).length < MOST_VALUES;
    if (isKnown && fits && this.#isSetOnce(name))
      this.#variables = { ...this.#variables, [name]: values.map(({ text }) => text) };
  }

  #after(words: readonly ShellWord[], where: Whereabouts, { afterFailure }: Context): Whereabouts {
    const [name = '', ...args] = words.map(({ text }) => text);
    if (/^(?:exit|return|break|continue)$/.test(name))
      return afterFailure ? { ...where, otherwise: [] } : { ...where, left: true };
    if (name === 'set' && args.some((option) => /^-[a-z]*e/.test(option))) return { ...where, strict: true };
    if (name === 'popd') return { ...where, here: united(where.here, [SOMEWHERE]) };
    if (name !== 'cd' && name !== 'pushd') return where;
    const target = args.findLast((text) => !/^-[A-Za-z]/.test(text)) ?? valueOf('HOME', this.#variables)[0] ?? '-';
    const isKnown = target !== '-' && target !== UNKNOWN && pay(this.steps, where.here.join('').length);
    const moved = where.here.map((folder) => (isKnown ? resolved(target, folder) : SOMEWHERE));
    return { ...where, here: united(moved), otherwise: united(where.here, where.otherwise) };
  }
}

/** The parser takes a slash in such a substitution for the end of the pattern; what it does not know it does not parse. */
const isMisread = (node: SyntaxNode): boolean =>
  node.type === 'ParameterExpansion' &&
  !node.index &&
  !/^(?:Default|Remove|Slice|CaseModification)$/.test(node.operation?.type ?? '') &&
  /[$<>]\(|`/.test(node.text);

/** A list of commands ends where neither `&&` nor `||` goes on: then it may have succeeded or failed. */
const settled = (where: Whereabouts): Whereabouts => ({
  ...where,
  here: where.strict ? where.here : united(where.here, where.otherwise),
  otherwise: [],
});

const foldersFor = ({ here, otherwise }: Whereabouts, { afterFailure }: Pick<Context, 'afterFailure'>) =>
  afterFailure ? united(here, otherwise) : here;

/**
 * How often each name stands in the script without `$`. There it may be set, by an assignment, a loop, `read`, `unset`
 * or a text that is evaluated. One that stands there once, where it is set, has no other value.
 */
function bareNames(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [name] of text.matchAll(/(?<![\w$/.]|\$\{)[A-Za-z_]\w*\b(?![/.])/g))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
