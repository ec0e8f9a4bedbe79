import { homedir } from 'node:os';
import { join } from 'node:path';
import { Catalogue } from '../../agent/catalogue.js';
import { ModelAgent } from '../../agent/model-agent.js';
import { MessageId, QuestionId, TurnId } from '../../contract/ids.js';
import { SessionEngine } from '../../runtime/session/engine.js';
import { Inputs } from '../../runtime/process/inputs.js';
import { allTools, type Toolbox } from '../../runtime/session/tools/toolbox.js';
import { MCP_FIGURES, McpServers } from '../../runtime/session/tools/mcp-servers.js';
import { Views } from '../../runtime/process/view.js';
import { version } from '../../version.js';
import { newId, type Foundation } from './foundation.js';
import type { Processes } from './processes.js';

export type SessionParts = {
  readonly engine: SessionEngine;
  readonly catalogue: Catalogue;
  readonly inputs: Inputs;
  readonly views: Views;
};

export async function startSessions(foundation: Foundation, processes: Processes): Promise<SessionParts> {
  const { home, configuration, clock, models, secrets, telemetry, opened } = foundation;
  const { supervisor, upkeep } = processes;
  const catalogue = new Catalogue({ settings: models, path: join(home.path, 'models.json'), clock });
  opened.add(() => catalogue.close());
  const agent = new ModelAgent({ settings: models, clock, windowOf: (model) => catalogue.windowOf(model) });
  const inputs = new Inputs(supervisor, configuration.limits.waitingInputs);
  const views = new Views(supervisor, supervisor.reader, clock);
  const { turns, budget, resume } = configuration;
  const engine = new SessionEngine({
    ...processes,
    ...turns,
    agent,
    toolbox: toolboxOf(foundation, processes, inputs, views),
    clock,
    redact: secrets.redact,
    tell: telemetry.tell,
    newTurnId: newId(TurnId, 'turn_'),
    newMessageId: newId(MessageId, 'msg_'),
    newQuestionId: newId(QuestionId, 'qst_'),
    budget,
    resume: { ...resume, boots: { count: resume.badBoots, withinMs: resume.badBootsWithinMs } },
    defaultModel: configuration.model ?? models.defaultModel,
  });
  await engine.start();
  opened.add(() => engine.stop());
  upkeep.also('posting due notices', () => engine.dueNotices.look());
  return { engine, catalogue, inputs, views };
}

function toolboxOf(
  { home, configuration, clock, secrets: { redact }, umask, telemetry: { tell }, opened }: Foundation,
  { store, supervisor }: Processes,
  inputs: Inputs,
  views: Views,
): () => Promise<Toolbox> {
  const servers = new McpServers(configuration.mcpServers, { clock, redact, version, figures: MCP_FIGURES, tell });
  opened.add(() => servers.stop());
  const homes = { home: homedir(), rouseHome: home.path };
  const settings = { ...homes, umask, approval: configuration.approval, ...configuration.turns };
  return allTools({ store, supervisor, views, inputs, clock, redact }, settings, servers);
}
