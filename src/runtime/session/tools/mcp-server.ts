/**
 * One MCP server.
 *
 *   absent ──start──▶ starting ──its tools are known──▶ there
 *     ▲                   │                               │
 *     └──────failed───────┴──────────────died─────────────┘
 */
import type { Clock } from '../../../ports/clock.js';
import { printable } from '../../../contract/words.js';
import { shortened } from '../../../domain/output/excerpt.js';
import type { Tell } from '../../events.js';
import { McpConnection, type McpServerSettings } from './mcp-connection.js';
import { mcpTool, messageOf, type McpTool } from './mcp-tool.js';

export type McpFigures = {
  /** How long the first turn waits for all servers together. */
  readonly firstTurnMs: number;
  /** How long a server may take to answer, and to say what it can do. */
  readonly startMs: number;
  /** How long after a failure it is started again at the earliest. */
  readonly againMs: number;
  /** How long a call may take. */
  readonly callMs: number;
};

export type McpSurroundings = {
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

export class McpServer {
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
