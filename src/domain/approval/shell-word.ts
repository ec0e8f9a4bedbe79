/**
 * Expands the words of a shell script as far as that is possible without running it.
 *
 *   1. A brace expansion, and a variable that may hold one of several values, make one word for each alternative.
 *   2. What only the shell will know is UNKNOWN in the word.
 */
import type { ParameterExpansionPart, Word, WordPart } from 'unbash';

/** Stands in a word for what only the shell will know. */
export const UNKNOWN = '\ufffc';

/** `splits` when it may turn into several words, into none, or into one of several. */
export type ShellWord = { readonly text: string; readonly splits: boolean };

/** What a variable may hold, where that is known. */
export type Variables = Readonly<Record<string, readonly string[]>>;

export const isUnknown = ({ text }: ShellWord): boolean => text.includes(UNKNOWN);

/** All the words that it may expand to; `before` is a text that stands in front of it. */
export function expanded(word: Word, variables: Variables, before = ''): readonly ShellWord[] {
  const parts = word.parts ?? [{ ...word, type: 'Literal', text: word.text, value: word.value } as const];
  const { texts, splits } = joined(parts, variables, false);
  return texts.map((text) => ({ text: before + text, splits: splits || texts.length > 1 }));
}

/** The body of a here-document, in which only variables and substitutions are expanded. */
export function expandedBody(parts: readonly WordPart[], variables: Variables): string {
  const { texts } = joined(parts, variables, true);
  return texts.length === 1 ? (texts[0] ?? '') : UNKNOWN;
}

const ALTERNATIVES = 64;

function joined(parts: readonly WordPart[], variables: Variables, quoted: boolean) {
  let texts: readonly string[] = [''];
  let splits = false;
  for (const [index, part] of parts.entries()) {
    const values = valuesOf(part, variables, quoted, index === 0);
    splits ||= SPLITS.has(part.type) && values.some((value) => value.includes(UNKNOWN));
    if (texts.length * values.length > ALTERNATIVES) return { texts: [UNKNOWN], splits: true };
    texts = texts.flatMap((text) => values.map((value) => text + value));
  }
  return { texts, splits };
}

/** What these hold is split into words, unless it is quoted. */
const SPLITS: ReadonlySet<WordPart['type']> = new Set([
  'SimpleExpansion',
  'ParameterExpansion',
  'CommandExpansion',
  'BraceExpansion',
]);

function valuesOf(part: WordPart, variables: Variables, quoted: boolean, isFirst: boolean): readonly string[] {
  const whole = (values: readonly string[]) => values.map((value) => (!quoted && /\s/.test(value) ? UNKNOWN : value));
  switch (part.type) {
    case 'Literal':
      return [quoted || part.text.startsWith('\\') ? part.value : withHomes(part.value, variables, isFirst)];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [part.value];
    case 'DoubleQuoted':
    case 'LocaleString':
      return joined(part.parts, variables, true).texts;
    case 'Glob':
      return [part.text];
    case 'ExtendedGlob':
      return ['*'];
    case 'BraceExpansion':
      return alternativesIn(part.text.slice(1, -1)).map((text) => withHomes(text, variables, isFirst));
    case 'SimpleExpansion':
      return whole(/^\$[#?$]$/.test(part.text) ? ['0'] : valueOf(part.text.slice(1), variables));
    case 'ParameterExpansion':
      return whole(parameterValue(part, variables));
    case 'CommandExpansion':
      return [OUTPUTS.find(([command]) => command.test(part.text))?.[1] ?? UNKNOWN];
    case 'ArithmeticExpansion':
      return ['0'];
    case 'ProcessSubstitution':
      return [UNKNOWN];
  }
}

/** Substitutions whose output is known well enough: a new path, or settings for the shell. */
const OUTPUTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:\$\(|`)\s*mktemp(?:\s+-[dq]+)*(?:\s+-t)?(?:\s+[\w./-]+)?\s*[)`]$/, '/tmp/tmp.new'],
  [
    /^(?:\$\(|`)\s*(?:ssh-agent(?: -s)?|[\w/.-]*\bbrew shellenv|(?:direnv hook|starship init) (?:ba|z)?sh)\s*[)`]$/,
    ':',
  ],
];

export const valueOf = (name: string, variables: Variables): readonly string[] =>
  (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? [UNKNOWN];

function parameterValue({ parameter, prefix, index, operation }: ParameterExpansionPart, variables: Variables) {
  if (prefix === '#') return ['0'];
  if (!prefix && !index && !operation) return valueOf(parameter, variables);
  // A temporary folder by convention, also where the variable is not set: `${TMPDIR:-/tmp}`, `${TMPDIR:?}`.
  const isTemporary =
    operation?.type === 'Default' &&
    (operation.operator === ':?' || (operation.operator === ':-' && operation.operand.text === '/tmp'));
  return isTemporary && parameter === 'TMPDIR' && !Object.hasOwn(variables, 'TMPDIR') ? ['/tmp'] : [UNKNOWN];
}

/** The home of a user where a path begins: at the start of a word, or behind `=` or `:`. */
const withHomes = (text: string, variables: Variables, isFirst: boolean): string =>
  text.replace(/(^|[=:])~([\w.+-]*)/g, (whole, before: string, user: string) => {
    if (before === '' && !isFirst) return whole;
    if (user === '' || user === '+') return before + (valueOf(user ? 'PWD' : 'HOME', variables)[0] ?? UNKNOWN);
    return before + (/^[-+\d]/.test(user) ? UNKNOWN : user === 'root' ? '/root' : `/home/${user}`);
  });

const RANGE = /^(-?\d{1,6})\.\.(-?\d{1,6})$/;

/** What the text between two braces stands for, where that is plainly a list or a range of numbers. */
function alternativesIn(inner: string): readonly string[] {
  if (/[{}'"$`\\]/.test(inner)) return [UNKNOWN];
  if (inner.includes(',')) return inner.split(',');
  const [from, to] = RANGE.exec(inner)?.slice(1).map(Number) ?? [];
  if (from === undefined || to === undefined || Math.abs(to - from) >= ALTERNATIVES) return [UNKNOWN];
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => String(from + (to < from ? -index : index)));
}
