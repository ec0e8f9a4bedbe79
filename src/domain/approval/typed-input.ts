/**
 * Whether a person should see what an agent types into a process before it is sent.
 *
 *   1. What a shell is given is judged as commands: all of what is not complete yet, and every line by itself, since the
 *      program that reads a line need not be the shell. A line that comes in pieces is judged as a whole.
 *   2. Folders and variables last from one line to the next.
 *   3. Keys that edit a line change what it says, so a shell on a terminal is not sent them without a person.
 *   4. Any other program is asked about only where the text plainly holds a danger: an answer to a prompt is no command.
 */
import { worst, type Finding } from './shell-call.js';
import { BUDGET, dangerInText, judged, readsCommands, startOf, type Surroundings } from './risk.js';
import type { Standing } from './shell-script.js';

/** What a process was given so far, as far as it still matters. */
export type Typed = {
  readonly reads: 'commands' | 'anything';
  /** What a shell has not yet run: it waits for the rest of it. */
  readonly pending: string;
  /** The last line, while it has no end. */
  readonly line: string;
  readonly standing: Standing;
  /** The host was started after the process: what it was given before is not known. */
  readonly isUncertain: boolean;
};

export const nothingTyped = (command: string, where: Surroundings, isUncertain: boolean): Typed => ({
  reads: readsCommands(command, where) ? 'commands' : 'anything',
  pending: '',
  line: '',
  standing: startOf(where),
  isUncertain,
});

export type TypedJudgement = { readonly why: string | undefined; readonly next: Typed };

/** Keys that end or abandon a line; all other control characters edit it. */
const ABANDONS = ['\x03', '\x04', '\x1a', '\x1c'];
const EDITS = /\p{Cc}/u;

export function typedInto(typed: Typed, data: string, pty: boolean, where: Surroundings): TypedJudgement {
  const isAbandoned = ABANDONS.some((key) => data.includes(key));
  const text = ABANDONS.reduce((rest, key) => rest.replaceAll(key, '\n'), data.replace(/\r\n?/g, '\n'));
  const lines = `${typed.line}${text}`.split('\n');
  const whole = isAbandoned ? lines.join('\n') : `${typed.pending}${text}`;
  const steps = { left: BUDGET };
  const all = judged(whole, where, typed.standing, steps);
  const alone = worst(lines, (line) => judged(line, where, typed.standing, steps).finding);
  const scene = { ...where, ...typed.standing, steps, fed: false, depth: 1 };
  const code = worst(lines, (line) => dangerInText(line, scene));
  const found = worst([all.finding, alone, code], (finding) => finding);
  const line = lines.at(-1) ?? '';
  const waits = all.unread?.open === true;
  const next = {
    ...typed,
    isUncertain: false,
    line,
    pending: waits ? whole : line,
    standing: waits || !whole.includes('\n') ? typed.standing : all.standing,
  };
  return { why: whyAsk(typed, text, pty, found, all.unread?.open === false ? all.unread.why : undefined), next };
}

function whyAsk(
  typed: Typed,
  text: string,
  pty: boolean,
  found: Finding | undefined,
  unread: string | undefined,
): string | undefined {
  if (found?.kind === 'danger') return found.why;
  if (typed.reads === 'anything') return undefined;
  if (typed.isUncertain) return 'the host was restarted, and the earlier input of this shell is not known';
  if (EDITS.test(text.replace(/[\t\n]/g, '')) || (pty && text.includes('\t')))
    return 'it contains keys that edit the line';
  return unread ?? found?.why;
}
