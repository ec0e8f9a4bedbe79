/** The tools that the agent of a turn may call, by name. */
import type { ToolCall, ToolShape } from '../../../ports/agent.js';
import { printable } from '../../../contract/display.js';
import { shortened } from '../../../domain/output/excerpt.js';
import { failed, type Tool, type ToolContext, type ToolOutcome } from './tool.js';
import type { Clock } from '../../../ports/clock.js';
import type { ApprovalPolicy } from '../../../domain/approval/approval.js';
import type { Store } from '../../../ports/store.js';
import type { Inputs } from '../../process/inputs.js';
import type { Supervisor } from '../../process/supervisor.js';
import type { Views } from '../../process/view.js';
import { StoredApprovals, type ApprovalParts } from './approval.js';
import { clarifyTool } from './clarify.js';
import { readFileTool, writeFileTool } from './files.js';
import type { McpServers } from './mcp-servers.js';
import { approved } from './mcp-tool.js';
import { PROCESS_FIGURES, processTool } from './process.js';
import { TERMINAL_FIGURES, terminalTool } from './terminal.js';

export class Toolbox {
  readonly #byName: ReadonlyMap<string, Tool>;

  /** Of two tools with the same name, the first wins. */
  constructor(tools: readonly Tool[]) {
    this.#byName = new Map(tools.toReversed().map((tool) => [tool.shape.name, tool]));
  }

  /** Sorted by name, so that provider prompt caches hit (M4). */
  shapes(): readonly ToolShape[] {
    return [...this.#byName.values()]
      .map((tool) => tool.shape)
      .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  async run({ tool: name, input }: ToolCall, context: ToolContext): Promise<ToolOutcome> {
    if (context.signal.aborted) return failed('The turn is over: nothing was done.');
    const tool = this.#byName.get(name);
    return tool ? tool.run(input, context) : failed(this.#unknown(name));
  }

  isRepeatable(name: string): boolean {
    return this.#byName.get(name)?.repeatable ?? false;
  }

  #unknown(name: string): string {
    const known = this.shapes().map((shape) => shape.name);
    return `There is no tool "${shortened(printable(name), 60)}". Known: ${known.join(', ')}.`;
  }
}

export type ToolParts = {
  readonly store: Store;
  readonly supervisor: Supervisor;
  readonly views: Views;
  readonly inputs: Inputs;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
};

export type ToolSettings = {
  readonly home: string;
  readonly rouseHome: string;
  readonly umask: number;
  readonly approval: ApprovalPolicy;
  readonly foregroundMs: number;
};

/** Our own tools, and those of the MCP servers that are connected when it is called. */
export function allTools(parts: ToolParts, settings: ToolSettings, servers: McpServers): () => Promise<Toolbox> {
  const { approval: policy, home, rouseHome } = settings;
  const approval = {
    policy,
    approvals: new StoredApprovals(parts.store),
    homes: { home, rouseHome },
    redact: parts.redact,
  };
  const own = ownTools(parts, settings, approval);
  return async () => new Toolbox([...own, ...(await servers.tools()).map((one) => approved(one, approval))]);
}

function ownTools(parts: ToolParts, settings: ToolSettings, approval: ApprovalParts): readonly Tool[] {
  const { home, rouseHome, umask, foregroundMs } = settings;
  const files = { workdir: home, home, rouseHome, umask, approval };
  return [
    terminalTool({ ...parts, approval, figures: { ...TERMINAL_FIGURES, foregroundMs }, mayNotify: true }),
    processTool({ ...parts, approval, figures: PROCESS_FIGURES }),
    clarifyTool(),
    readFileTool(files),
    writeFileTool(files),
  ];
}
