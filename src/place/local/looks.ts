/**
 * What can be seen of a process: in its folder, where the shim writes and the command may do anything, and among the living.
 *
 *   1. An end counts only when the command is dead.
 *   2. Once seen, a process is who it was seen to be; before that, what the folder says of it must be proven.
 */
import { stat } from 'node:fs/promises';
import type { ProcessId } from '../../contract/ids.js';
import { refuse, type Refusal } from '../../contract/refusal.js';
import type { Identity, Owned } from '../../domain/process/process.js';
import type { Sighting } from '../../ports/place.js';
import { discover, isProven, newestPid } from './discovery.js';
import type { ExitFile, Folder, PidFile } from './folder.js';
import { alive, descendantsOf, identityOf, isThere, living, send, thisBoot } from './living.js';

const DROPPED = 'A part of the output could not be written, mostly for want of room on the disk, and is missing.';

export const NO_ENTRY = new Map<string, Refusal>([
  ['cwd', refuse('no-such-directory', 'There is no such directory that could be entered. Nothing was started.')],
  ['shell', refuse('no-such-shell', 'The shell that runs commands is not there. Nothing was started.')],
]);

export class Looks {
  /** For starts that were not seen to run yet: the newest pid before each, so that whoever is younger can be found fast. */
  readonly #newestBefore = new Map<ProcessId, number | undefined>();
  /** Whose `exit` was written before they were dead: their next one counts when their shim has ended. */
  readonly #doubted = new Set<ProcessId>();

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
  }

  async look(id: ProcessId, folder: Folder, known?: Owned): Promise<Sighting> {
    const sighting = known ? await this.#lookAtKnown(id, folder, known) : await this.#lookFirst(id, folder);
    return (sighting.kind === 'running' || sighting.kind === 'exited') && folder.dropped
      ? { ...sighting, damage: DROPPED }
      : sighting;
  }

  /** Who it is stands in the store: whatever a command writes into its folder, it has ended when it is dead. */
  async #lookAtKnown(id: ProcessId, folder: Folder, owned: Owned): Promise<Sighting> {
    // In this order: a shim writes when the command is dead.
    const exit = folder.exitFile();
    const lives = isThere(owned.command);
    if (exit && lives) this.#doubted.add(id);
    if (exit && !lives && !this.#doubted.has(id)) return endOf(exit, owned);
    const shimAlive = !!alive(owned.shim);
    if (shimAlive && !lives) {
      continueKeepers(owned.shim);
      // `script` stops itself once more when it learns that its child was stopped.
      this.again(id);
    }
    if (shimAlive || lives) return { kind: 'running', owned, shimAlive };
    // It may have written the end between the two looks; a shim that is dead now writes nothing any more.
    const late = folder.exitFile();
    if (late) return endOf(late, owned);
    const why = (await exists(folder.path)) ? whyUnknown(owned) : 'exit unknown: its folder is gone';
    return { kind: 'gone', why, owned };
  }

  /** Nothing but the folder says who it is, and the command may have been there before us. */
  async #lookFirst(id: ProcessId, folder: Folder): Promise<Sighting> {
    const notes = folder.pidFile();
    const noted = ownedBy(notes);
    if (noted && isProven(noted, id, folder.path)) return this.#lookAtKnown(id, folder, noted);
    // Whoever is named there and lives is somebody else.
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

/** A command can stop its shim, or what keeps its terminal, and then nobody writes how it ended. */
function continueKeepers(shim: Identity): void {
  for (const pid of [shim.pid, ...descendantsOf(shim.pid)]) {
    const keeper = living(pid);
    if (keeper) send(identityOf(keeper), 'SIGCONT', false);
  }
}

/** A command that was seen to run was not refused, whatever stands in its folder. */
function endOf(exit: ExitFile, owned: Owned | undefined): Sighting {
  const who = owned && { owned };
  switch (exit.kind) {
    case 'ended':
      return { kind: 'exited', record: exit.record, at: exit.at, ...who };
    case 'refused':
      return { kind: 'gone', why: 'exit unknown: the command has spoilt its record', ...who };
    case 'unknown':
      return { kind: 'gone', why: 'exit unknown: what kept its terminal was killed', ...who };
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
