/** The tools that the agent of a turn has. */
import type { ToolCall, ToolShape } from '../../../ports/agent.js';
import type { Clock } from '../../../ports/clock.js';
import type { ApprovalPolicy } from '../../../domain/approval/approval.js';
import type { Store } from '../../../ports/store.js';
import type { Inputs } from '../../process/inputs.js';
import type { Supervisor } from '../../process/supervisor.js';
import type { Tool, ToolContext, ToolOutcome, Toolbox as Tools } from '../tool.js';
import type { Views } from '../../process/view.js';
import type { ApprovalParts } from './approval.js';
import { StoredApprovals } from './approvals.js';
import { clarifyTool } from './clarify.js';
import { readFileTool, writeFileTool } from './files.js';
import type { McpServers } from './mcp.js';
import { approved } from './mcp-tool.js';
import { PROCESS_FIGURES, processTool } from './process.js';
import { TERMINAL_FIGURES, terminalTool } from './terminal.js';
import { Toolbox } from './toolbox.js';

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

/** Ours, and those of the servers that are there when the model is asked. */
export class AllTools implements Tools {
  readonly #own: readonly Tool[];
  readonly #approval: ApprovalParts;

  constructor(
    parts: ToolParts,
    settings: ToolSettings,
    readonly servers: McpServers,
  ) {
    const { approval: policy, home, rouseHome } = settings;
    const approvals = new StoredApprovals(parts.store);
    this.#approval = { policy, approvals, homes: { home, rouseHome }, redact: parts.redact };
    this.#own = ownTools(parts, settings, this.#approval);
  }

  async shapes(): Promise<readonly ToolShape[]> {
    return (await this.#toolbox()).shapes();
  }

  async run(call: ToolCall, context: ToolContext): Promise<ToolOutcome> {
    return (await this.#toolbox()).run(call, context);
  }

  async isRepeatable(tool: string): Promise<boolean> {
    return (await this.#toolbox()).isRepeatable(tool);
  }

  async #toolbox(): Promise<Toolbox> {
    return new Toolbox([...this.#own, ...(await this.servers.tools()).map((one) => approved(one, this.#approval))]);
  }
}

function ownTools(parts: ToolParts, settings: ToolSettings, approval: ApprovalParts): readonly Tool[] {
  const { home, rouseHome, umask, foregroundMs } = settings;
  const files = { workdir: home, rouseHome, umask, approval };
  return [
    terminalTool({ ...parts, approval, figures: { ...TERMINAL_FIGURES, foregroundMs }, mayNotify: true }),
    processTool({ ...parts, approval, figures: PROCESS_FIGURES }),
    clarifyTool(),
    readFileTool(files),
    writeFileTool(files),
  ];
}
