/**
 * Tools of other MCP servers.
 *
 *   1. Nothing is started before somebody wants the tools: the first turn of the host does.
 *   2. That turn waits a short while for them, and no other turn does. A server that is not there costs its tools alone.
 *   3. One that did not start or has died is tried again by a later turn, but not all the time.
 */
import { pause, type Clock } from '../../../ports/clock.js';
import { McpConnection, type McpServerSettings } from './mcp-connection.js';
import { mcpTool, messageOf, type McpTool } from './mcp-tool.js';
import { printable } from '../../../contract/words.js';
import { shortened } from '../../../domain/output/excerpt.js';
import type { Tell } from '../../events.js';

export const MCP_FIGURES: McpFigures = { firstTurnMs: 3_000, startMs: 30_000, againMs: 60_000, callMs: 120_000 };

export class McpServers {
  readonly #servers: readonly McpServer[];
  #waited: Promise<unknown> | undefined;

  constructor(
    settings: Readonly<Record<string, McpServerSettings>>,
    readonly around: McpSurroundings,
  ) {
    this.#servers = Object.entries(settings).map(([name, one]) => new McpServer(name, one, around));
  }

  /** Those of the servers that are there. */
  async tools(): Promise<readonly McpTool[]> {
    const started = Promise.all(this.#servers.map((server) => server.start()));
    this.#waited ??= Promise.race([started, pause(this.around.clock, this.around.figures.firstTurnMs)]);
    await this.#waited;
    return this.#servers.flatMap((server) => server.tools);
  }

  /** A sentence for each server that is wanted and not there. */
  get absences(): readonly string[] {
    return this.#servers.flatMap((server) => server.absence ?? []);
  }

  /** Over when they have ended: first their input ends, then they are told to, then they must. */
  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()));
  }
}

type McpFigures = {
  /** How long the first turn waits for all servers together. */
  readonly firstTurnMs: number;
  /** How long a server may take to answer, and to say what it can do. */
  readonly startMs: number;
  /** How long after a failure it is started again at the earliest. */
  readonly againMs: number;
  /** How long a call may take. */
  readonly callMs: number;
};

type McpSurroundings = {
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  /** Our own, as the servers are told it. */
  readonly version: string;
  readonly figures: McpFigures;
  readonly tell: Tell;
};

type State =
  | { readonly kind: 'absent'; readonly why?: string; readonly notBefore: number }
  | { readonly kind: 'starting'; readonly over: Promise<void> }
  | { readonly kind: 'there'; readonly tools: readonly McpTool[] }
  | { readonly kind: 'stopped' };

class McpServer {
  #state: State = { kind: 'absent', notBefore: -Infinity };
  #connection: McpConnection | undefined;

  constructor(
    readonly name: string,
    readonly settings: McpServerSettings,
    readonly around: McpSurroundings,
  ) {}

  get tools(): readonly McpTool[] {
    return this.#state.kind === 'there' ? this.#state.tools : [];
  }

  get absence(): string | undefined {
    const state = this.#state;
    if (state.kind === 'starting') return `The tools of ${this.name} are not there yet: it is still starting.`;
    return state.kind === 'absent' && state.why !== undefined
      ? `The tools of ${this.name} are not there: ${state.why}`
      : undefined;
  }

  /** Over when it is there or has failed; it never rejects. Nothing for one that is there, or failed just now. */
  start(): Promise<void> {
    const state = this.#state;
    if (state.kind === 'starting') return state.over;
    if (state.kind !== 'absent' || this.around.clock.monotonic() < state.notBefore) return Promise.resolve();
    const over = this.#connect();
    this.#state = { kind: 'starting', over };
    return over;
  }

  async stop(): Promise<void> {
    this.#state = { kind: 'stopped' };
    await this.#connection?.close();
  }

  async #connect(): Promise<void> {
    const { version, figures, redact } = this.around;
    try {
      const connection = await McpConnection.to(this.settings, version);
      if (this.#is('stopped')) return;
      this.#connection = connection;
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client knows no other way
      connection.client.onclose = () => this.#gone('it has ended');
      const offered = await connection.open(figures.startMs);
      const tools = offered.map((one) => mcpTool(this.name, connection.client, one, figures.callMs, redact));
      if (this.#is('starting')) this.#state = { kind: 'there', tools };
      else await connection.close();
    } catch (error) {
      this.#gone(messageOf(error));
      await this.#connection?.close();
    }
  }

  #is(kind: State['kind']): boolean {
    return this.#state.kind === kind;
  }

  /** The first reason is the one that is told. */
  #gone(why: string): void {
    if (this.#is('stopped') || this.#is('absent')) return;
    const { clock, figures, redact, tell } = this.around;
    const said = this.#connection?.said;
    const reason = shortened(printable(redact(said ? `${why}; it said: ${said}` : why)), 700);
    this.#state = { kind: 'absent', why: reason, notBefore: clock.monotonic() + figures.againMs };
    tell({ kind: 'mcpServerAbsent', server: this.name, why: reason });
  }
}
