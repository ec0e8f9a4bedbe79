/** This machine, as a place. */
import { constants, mkdirSync, writeFileSync } from 'node:fs';
import { access, chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../ports/clock.js';
import { ProcessId } from '../../contract/ids.js';
import { refuse, type Refusal } from '../../contract/refusal.js';
import type { Signal } from '../../contract/process.js';
import type { Identity, Owned } from '../../domain/process/process.js';
import type { LaunchPlan, Member, Place, Sighting } from '../../ports/place.js';
import { Bell } from './bell.js';
import { shared, takeCensus, type Census } from './census.js';
import { isAbsent } from '../../errno.js';
import { isExecutable, type Tools } from './environment.js';
import { Folder, startFile } from './folder.js';
import { closeInput, inputOf, writeInput } from './input.js';
import { Launcher } from './launcher.js';
import { alive, isThere, send } from './proc.js';
import { Sightings, NO_ENTRY } from './sighting.js';
import { onNextChange, readAt, sizeOf } from './output-file.js';
import { membersOf, readsInput, terminalOf, usageOf } from './tree.js';

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** How long a start may take before it is looked at unasked; from then on it is looked at after twice the time. */
const LOST_RING_MS = 250;

export class LocalPlace implements Place {
  readonly name = 'local';
  readonly defaultCwd: string;
  readonly #bell: Bell;
  readonly #launcher: Launcher;
  readonly #environment: Promise<Readonly<Record<string, string>>>;
  readonly #census: () => Promise<Census>;
  #closed = false;
  readonly #looks = new Sightings((id) => this.#lookLater(id));
  readonly #later = new Set<ProcessId>();
  #heard: (id: ProcessId) => void = () => undefined;
  #releases: Promise<boolean> | undefined;

  constructor(
    readonly home: string,
    readonly tools: Tools,
    /** The person's login environment; a shell takes its time to tell it, and only starts need to wait for that. */
    login: Promise<Readonly<Record<string, string>>>,
    readonly clock: Clock,
  ) {
    mkdirSync(join(home, 'processes'), { recursive: true, mode: 0o700 });
    this.defaultCwd = homedir();
    this.#census = shared(takeCensus, clock);
    this.#bell = new Bell(join(home, 'bell'));
    this.#launcher = new Launcher(script('launcher.sh'), home, script('shim.sh'), tools.path, clock);
    this.#environment = login.then((env) => ({ TERM: 'xterm-256color', SHELL: tools.loginShell, ...env }));
  }

  async check({ pty, cwd }: Pick<LaunchPlan, 'pty'> & { cwd?: string }): Promise<Refusal | undefined> {
    if (!isExecutable(this.tools.shell))
      return refuse('no-such-shell', `There is no shell at ${this.tools.shell}. Nothing was started.`);
    if (pty && !isExecutable(this.tools.script))
      return refuse(
        'no-terminal',
        `A terminal needs the program "script" (package util-linux or bsdutils), which is not at ${this.tools.script}.`,
      );
    if (cwd !== undefined && !(await isEnterable(cwd))) return NO_ENTRY.get('cwd');
    return undefined;
  }

  async prepare(id: ProcessId, plan: LaunchPlan): Promise<void> {
    const folder = this.#folder(id);
    const env = { ...(await this.#environment), ...plan.env };
    mkdirSync(folder.path, { recursive: true, mode: 0o700 });
    writeFileSync(folder.file('start'), startFile({ ...plan, env }, this.tools), { mode: 0o600 });
  }

  launch(id: ProcessId): void {
    this.#looks.expect(id);
    void this.#launcher.ask('start', id);
    this.#expect(id, LOST_RING_MS);
  }

  /** The net under the first ring, which any command may have swallowed: a start is waited for. */
  #expect(id: ProcessId, ms: number): void {
    this.clock.alarm(ms, () => {
      if (this.#closed || !this.#looks.expects(id)) return;
      this.#heard(id);
      this.#expect(id, ms * 2);
    });
  }

  #lookLater(id: ProcessId): void {
    if (this.#later.has(id)) return;
    this.#later.add(id);
    this.clock.alarm(LOST_RING_MS, () => {
      this.#later.delete(id);
      if (!this.#closed) this.#heard(id);
    });
  }

  async abandon(id: ProcessId): Promise<boolean> {
    const folder = this.#folder(id);
    await mkdir(folder.path, { recursive: true, mode: 0o700 });
    return folder.claim();
  }

  look(id: ProcessId, known?: Owned): Promise<Sighting> {
    return this.#looks.look(id, this.#folder(id), known);
  }

  async countAlive(identities: readonly Identity[]): Promise<number> {
    return identities.filter(isThere).length;
  }

  listen(heard: (id: ProcessId) => void): Disposable {
    this.#heard = heard;
    return this.#bell.listen(heard);
  }

  listenAgain(): boolean {
    return this.#bell.lookAgain();
  }

  settle(id: ProcessId): void {
    this.#looks.seen(id);
    try {
      this.#folder(id).spendPlan();
    } catch {
      // Gone, or the command has made something else of it or of its folder: then there is no plan to hide.
    }
  }

  listenToOutput(id: ProcessId, grew: () => void): Disposable {
    return onNextChange(this.#folder(id).file('output'), grew);
  }

  async outputSize(id: ProcessId): Promise<number | Refusal> {
    return sizeOf(this.#folder(id).file('output'));
  }

  readOutput(id: ProcessId, offset: number, length: number): Promise<Uint8Array | Refusal> {
    return readAt(this.#folder(id).file('output'), offset, length);
  }

  canRelease(): Promise<boolean> {
    return (this.#releases ??= this.#launcher.ask('probe').then((status) => status === 0));
  }

  async releaseOutput(id: ProcessId, from: number, to: number): Promise<boolean> {
    return (await this.#launcher.ask('release', id, String(from), String(to - from))) === 0;
  }

  write(owned: Owned, bytes: Uint8Array): Promise<Refusal | undefined> {
    return writeInput(this.clock, owned, bytes);
  }

  closeInput(owned: Owned): Promise<void> {
    return closeInput(this.clock, owned);
  }

  async resize(owned: Owned, rows: number, cols: number): Promise<Refusal | undefined> {
    const terminal = terminalOf(owned);
    const status = terminal ? await this.#launcher.ask('resize', terminal, String(rows), String(cols)) : 1;
    return status === 0 ? undefined : refuse('no-terminal', 'The process has no terminal that could be resized.');
  }

  async waitsForInput(owned: Owned): Promise<boolean> {
    return readsInput(await this.#census(), owned, inputOf(owned) ?? 'closed');
  }

  async members(id: ProcessId, owned: Owned, known?: readonly Member[]): Promise<readonly Member[]> {
    return membersOf(await this.#census(), id, owned, known);
  }

  async usage(trees: readonly { readonly id: ProcessId; readonly owned: Owned }[]) {
    return usageOf(await this.#census(), trees);
  }

  async signal(owned: Owned, members: readonly Member[], signal: Signal): Promise<void> {
    const group = alive(owned.command)?.group;
    const reached = send(owned.command, signal, true) === 'sent' ? group : undefined;
    for (const { identity } of members)
      if (reached === undefined || alive(identity)?.group !== reached) send(identity, signal, false);
  }

  async remove(id: ProcessId): Promise<void> {
    this.#looks.forget(id);
    // A command may have taken away the permission to look into its folder.
    await chmod(this.#folder(id).path, 0o700).catch((error: unknown) => {
      if (!isAbsent(error)) throw error;
    });
    await rm(this.#folder(id).path, { recursive: true, force: true });
  }

  async folders(): Promise<readonly ProcessId[]> {
    const names = await readdir(join(this.home, 'processes'));
    return names.map((name) => ProcessId.safeParse(name).data).filter((id) => id !== undefined);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#bell.close();
    this.#launcher.close();
  }

  #folder(id: ProcessId): Folder {
    return new Folder(this.home, id);
  }
}

const isEnterable = (directory: string) =>
  access(join(directory, '.'), constants.X_OK).then(
    () => true,
    () => false,
  );
