/**
 * The MCP servers of the configuration, and their tools.
 *
 *   absent ──start──▶ starting ──its tools are known──▶ connected
 *     ▲                   │                                 │
 *     └──────failed───────┴───────────────died──────────────┘
 *
 *   1. The first turn of the host starts them; nothing starts earlier.
 *   2. Only that turn waits for them, for a short time. A server that is absent costs its own tools only.
 *   3. A server that did not start or died is started again by a later turn, at most once per minute.
 */
import { pause, type Clock } from '../../../ports/clock.js';
import { McpConnection, type McpServerSettings } from './mcp-connection.js';
import { mcpTool, messageOf, type McpTool } from './mcp-tool.js';
import { printable } from '../../../contract/display.js';
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

  /** The tools of the connected servers. */
  async tools(): Promise<readonly McpTool[]> {
    const started = Promise.all(this.#servers.map((server) => server.start()));
    this.#waited ??= Promise.race([started, pause(this.around.clock, this.around.figures.firstTurnMs)]);
    await this.#waited;
    return this.#servers.flatMap((server) => server.tools);
  }

  /** Resolves when they have ended: first their input is closed, then they are terminated, then killed. */
  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()));
  }
}

type McpFigures = {
  /** How long the first turn waits for all servers together. */
  readonly firstTurnMs: number;
  /** How long a server may take to connect and list its tools. */
  readonly startMs: number;
  /** The shortest time between a failure and the next start. */
  readonly againMs: number;
  /** How long a call may take. */
  readonly callMs: number;
};

type McpSurroundings = {
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  /** Our own, as reported to the servers. */
  readonly version: string;
  readonly figures: McpFigures;
  readonly tell: Tell;
};

type State =
  | { readonly kind: 'absent'; readonly notBefore: number }
  | { readonly kind: 'starting'; readonly over: Promise<void> }
  | { readonly kind: 'connected'; readonly tools: readonly McpTool[] }
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
    return this.#state.kind === 'connected' ? this.#state.tools : [];
  }

  /** Resolves when it is connected or has failed; it never rejects. Does nothing if it is connected or failed just now. */
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
      if (this.#is('starting')) this.#state = { kind: 'connected', tools };
      else await connection.close();
    } catch (error) {
      this.#gone(messageOf(error));
      await this.#connection?.close();
    }
  }

  #is(kind: State['kind']): boolean {
    return this.#state.kind === kind;
  }

  /** Only the first reason is reported. */
  #gone(why: string): void {
    if (this.#is('stopped') || this.#is('absent')) return;
    const { clock, figures, redact, tell } = this.around;
    const said = this.#connection?.said;
    const reason = shortened(printable(redact(said ? `${why}; it said: ${said}` : why)), 700);
    this.#state = { kind: 'absent', notBefore: clock.monotonic() + figures.againMs };
    tell({ kind: 'mcpServerAbsent', server: this.name, why: reason });
  }
}
