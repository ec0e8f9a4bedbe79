/**
 * Tools of other MCP servers.
 *
 *   1. Nothing is started before somebody wants the tools: the first turn of the host does.
 *   2. That turn waits a short while for them, and no other turn does. A server that is not there costs its tools alone.
 *   3. One that did not start or has died is tried again by a later turn, but not all the time.
 */
import { pause } from '../../../ports/clock.js';
import type { McpServerSettings } from './mcp-connection.js';
import { McpServer, type McpFigures, type McpSurroundings } from './mcp-server.js';
import type { McpTool } from './mcp-tool.js';

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
