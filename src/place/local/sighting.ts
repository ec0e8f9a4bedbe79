/**
 * What can be seen of a process: in its folder, where the shim writes and the command may do anything, and in /proc.
 *
 *   1. An end counts only when the command is dead.
 *   2. Once seen, a process keeps its identity; before that, what the folder says of it must be proven.
 */
import { stat } from 'node:fs/promises';
import { refuse, type Refusal } from '../../contract/refusal.js';
import type { Sighting } from '../../ports/place.js';
import type { ExitFile, Folder, PidFile } from './folder.js';
import {
  alive,
  byAge,
  childrenOf,
  descendantsOf,
  identityOf,
  isThere,
  statOf,
  send,
  thisBoot,
  linkOf,
  markOf,
  read,
  type ProcStat,
} from './proc.js';
import { existsSync } from 'node:fs';
import type { ProcessId } from '../../contract/ids.js';
import type { Identity, Owned } from '../../domain/process/process.js';
import { takeCensus } from './census.js';

/** After this many looks without an end, which are mostly a quarter of a second apart, something is stuck. */
const PATIENT_LOOKS = 5;

const DROPPED = 'Part of the output is missing: it could not be written, usually because the disk was full.';

export const NO_ENTRY = new Map<string, Refusal>([
  ['cwd', refuse('no-such-directory', 'The directory does not exist or cannot be entered. Nothing was started.')],
  ['shell', refuse('no-such-shell', 'The shell that runs commands is not there. Nothing was started.')],
]);

export class Sightings {
  /** For starts that were not seen to run yet: the newest pid before each, so that younger ones are found fast. */
  readonly #newestBefore = new Map<ProcessId, number | undefined>();
  /** Their `exit` was written while they lived: the next one counts when their shim has ended. */
  readonly #doubted = new Set<ProcessId>();

  /** How often each was seen dead while its shim, which must write the end, still lived. */
  readonly #withoutEnd = new Map<ProcessId, number>();

  /** `again` asks for another look a little later. */
  constructor(readonly again: (id: ProcessId) => void) {}

  /** Before it is launched. */
  expect(id: ProcessId): void {
    this.#newestBefore.set(id, newestPid());
  }

  expects(id: ProcessId): boolean {
    return this.#newestBefore.has(id);
  }

  seen(id: ProcessId): void {
    this.#newestBefore.delete(id);
  }

  forget(id: ProcessId): void {
    this.seen(id);
    this.#doubted.delete(id);
    this.#withoutEnd.delete(id);
  }

  async look(id: ProcessId, folder: Folder, known?: Owned): Promise<Sighting> {
    const sighting = known ? await this.#lookAtKnown(id, folder, known) : await this.#lookFirst(id, folder);
    return (sighting.kind === 'running' || sighting.kind === 'exited') && folder.dropped
      ? { ...sighting, damage: DROPPED }
      : sighting;
  }

  /** The store knows its identity: whatever a command writes into its folder, it has ended when it is dead. */
  async #lookAtKnown(id: ProcessId, folder: Folder, owned: Owned): Promise<Sighting> {
    // In this order: a shim writes when the command is dead.
    const exit = folder.exitFile();
    const lives = isThere(owned.command);
    if (exit && lives) this.#doubted.add(id);
    if (exit && !lives && !this.#doubted.has(id)) return endOf(exit, owned);
    const shimAlive = !!alive(owned.shim);
    if (shimAlive && !lives) this.#helpKeepers(id, owned.shim);
    if (shimAlive || lives) return { kind: 'running', owned, shimAlive };
    // It may have written the end between the two looks; a shim that is dead now writes nothing any more.
    const late = folder.exitFile();
    if (late) return endOf(late, owned);
    const why = (await exists(folder.path)) ? whyUnknown(owned) : 'exit unknown: its folder is gone';
    return { kind: 'gone', why, owned };
  }

  /**
   * A command can stop its shim, or `script`, which holds its terminal; then the end is never written. `script` stops
   * itself again when it learns that its child was stopped, so there is another look.
   */
  #helpKeepers(id: ProcessId, shim: Identity): void {
    const looks = (this.#withoutEnd.get(id) ?? 0) + 1;
    this.#withoutEnd.set(id, looks);
    continueKeepers(shim);
    if (looks >= PATIENT_LOOKS) killDeafScript(shim);
    this.again(id);
  }

  /** Nothing but the folder says who it is, and the command may have been there before us. */
  async #lookFirst(id: ProcessId, folder: Folder): Promise<Sighting> {
    const notes = folder.pidFile();
    const noted = ownedBy(notes);
    if (noted && isProven(noted, id, folder.path)) return this.#lookAtKnown(id, folder, noted);
    // A process that is named there and lives is another one.
    const dead = noted && !isThere(noted.command) ? noted : undefined;
    const { shim, command, marked } = await discover(id, folder.path, this.#newestBefore.get(id));
    if (shim && command) return { kind: 'running', owned: { shim, command }, shimAlive: true };
    const exit = folder.exitFile();
    // Where the shim has written the end of a dead command and is gone, the command left behind what bears the mark.
    if (marked && !(dead && exit?.kind === 'ended'))
      return { kind: 'running', owned: { shim: marked, command: marked }, shimAlive: false };
    if (exit) return exit.kind === 'refused' ? refusedBy(exit.what) : endOf(exit, dead);
    if (shim) return dead ? { kind: 'running', owned: dead, shimAlive: true } : { kind: 'claimed', alive: true };
    if (!notes)
      return (await exists(folder.path)) ? { kind: 'unclaimed' } : { kind: 'gone', why: 'its folder is gone' };
    if (notes.abandoned) return { kind: 'gone', why: 'it was never started' };
    return dead ? this.#lookAtKnown(id, folder, dead) : { kind: 'claimed', alive: false };
  }
}

function continueKeepers(shim: Identity): void {
  for (const pid of [shim.pid, ...descendantsOf(shim.pid)]) {
    const keeper = statOf(pid);
    if (keeper) send(identityOf(keeper), 'SIGCONT', false);
  }
}

/**
 * The kernel may merge the end of a child with the signal that it was stopped or continued. `script` then never learns of
 * the end, and waits for ever for a zombie. Once it is killed, its shim reads the status that the terminal has written.
 */
function killDeafScript(shim: Identity): void {
  for (const pid of childrenOf(shim.pid)) {
    const script = statOf(pid);
    const children = childrenOf(pid);
    const isDeaf = children.length > 0 && !children.some(statOf) && /poll|^0?$/.test(read(`/proc/${pid}/wchan`) ?? '');
    if (script && isDeaf) send(identityOf(script), 'SIGKILL', false);
  }
}

/** A command that was seen to run was not refused, whatever its folder says. */
function endOf(exit: ExitFile, owned: Owned | undefined): Sighting {
  const who = owned && { owned };
  switch (exit.kind) {
    case 'ended':
      return { kind: 'exited', record: exit.record, at: exit.at, ...who };
    case 'refused':
      return { kind: 'gone', why: 'exit unknown: the command damaged the file that records it', ...who };
    case 'unknown':
      return { kind: 'gone', why: 'exit unknown: the program that held its terminal was killed', ...who };
  }
}

const refusedBy = (what: string): Sighting => ({
  kind: 'refused',
  refusal: NO_ENTRY.get(what) ?? refuse('did-not-start', `The shim refused it: ${what}.`),
});

const ownedBy = (file: PidFile | undefined): Owned | undefined =>
  file?.shim && file.command ? { shim: file.shim, command: file.command } : undefined;

const whyUnknown = ({ shim }: Owned): string =>
  shim.boot === thisBoot ? 'exit unknown: its shim was killed' : 'exit unknown: the machine was restarted while it ran';

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Whether this command lives, and descends from a shim in this folder or carries its mark. */
function isProven({ shim, command }: Owned, id: ProcessId, folder: string): boolean {
  const found = alive(command);
  if (!found) return false;
  if (markOf(command.pid) === id) return true;
  return alive(shim) !== undefined && standsIn(shim.pid, folder) && descends(found, shim.pid);
}

type Found = {
  readonly shim?: Identity;
  /** The child of a shim that lives. */
  readonly command?: Identity;
  /** Without a shim: the oldest that carries the mark, which is the command or something it left behind. */
  readonly marked?: Identity;
};

/**
 * Finds a process without its `pid` file, which the command may have changed: the shim by its working directory, the
 * command as its child, or by the mark that all descendants inherit. Only pids above `since` are searched, if given.
 */
export async function discover(id: ProcessId, folder: string, since: number | undefined): Promise<Found> {
  const young = since === undefined ? undefined : bornSince(since);
  const candidates = (young ?? (await takeCensus()).all).toSorted(byAge);
  const shim = candidates.find(({ pid }) => standsIn(pid, folder));
  const command = shim && commandOf(shim, candidates);
  const marked = shim ? undefined : candidates.find(({ pid }) => markOf(pid) === id);
  return {
    ...(shim && { shim: identityOf(shim) }),
    ...(command && { command: identityOf(command) }),
    ...(marked && { marked: identityOf(marked) }),
  };
}

/** The newest pid so far. */
const newestPid = (): number | undefined => {
  const [, newest] = /(\d+)\s*$/.exec(read('/proc/loadavg') ?? '') ?? [];
  return newest === undefined ? undefined : Number(newest);
};

/** More than these are looked up faster by listing all. */
const MOST_YOUNG = 2_000;

/** undefined when the numbers have begun again from the start, or there are too many. */
function bornSince(since: number): ProcStat[] | undefined {
  const newest = newestPid();
  if (newest === undefined || newest < since || newest - since > MOST_YOUNG) return undefined;
  const found: ProcStat[] = [];
  for (let pid = since + 1; pid <= newest; pid++) {
    const process = existsSync(`/proc/${pid}`) ? statOf(pid) : undefined;
    if (process) found.push(process);
  }
  return found;
}

/** The first leads a session of its own, unlike the shim's reader; in a terminal it is the child of such a leader. */
function commandOf(shim: ProcStat, candidates: readonly ProcStat[]): ProcStat | undefined {
  const childrenOf = (parent: ProcStat) => candidates.filter((process) => process.parent === parent.pid);
  const children = childrenOf(shim);
  const own = children.find((child) => child.session === child.pid);
  if (own) return own;
  const leader = children.flatMap(childrenOf).find((child) => child.session === child.pid);
  return leader && childrenOf(leader)[0];
}

function descends(process: ProcStat, ancestor: number): boolean {
  for (let at: ProcStat | undefined = process, steps = 0; at && steps < 8; at = statOf(at.parent), steps++)
    if (at.parent === ancestor) return true;
  return false;
}

const standsIn = (pid: number, folder: string): boolean =>
  [folder, `${folder} (deleted)`].includes(linkOf(`/proc/${pid}/cwd`) ?? '');
