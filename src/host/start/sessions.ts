import { homedir } from 'node:os';
import { join } from 'node:path';
import { Catalogue } from '../../agent/catalogue.js';
import { ModelAgent } from '../../agent/model-agent.js';
import type { Configuration } from '../configuration.js';
import { MessageId, QuestionId, TurnId } from '../../contract/ids.js';
import { Dialogue, type DialogueSettings } from '../../runtime/session/dialogue.js';
import { Inputs } from '../../runtime/process/inputs.js';
import { allTools, type Toolbox } from '../../runtime/session/tools/toolbox.js';
import { MCP_FIGURES, McpServers } from '../../runtime/session/tools/mcp-servers.js';
import { Views } from '../../runtime/process/view.js';
import { version } from '../../version.js';
import { newId } from './new-id.js';
import type { Ground } from './foundation.js';
import type { Keeping } from './processes.js';

export type Talking = {
  readonly dialogue: Dialogue;
  readonly catalogue: Catalogue;
  readonly inputs: Inputs;
  readonly views: Views;
};

export async function beginDialogue(ground: Ground, keeping: Keeping): Promise<Talking> {
  const { home, configuration, clock, models, secrets, told, opened } = ground;
  const { store, supervisor, notices, news, upkeep } = keeping;
  const catalogue = new Catalogue({ settings: models, path: join(home.path, 'models.json'), clock });
  const agent = new ModelAgent({ settings: models, clock, windowOf: (model) => catalogue.windowOf(model) });
  const inputs = new Inputs(supervisor, configuration.limits.waitingInputs);
  const views = new Views(supervisor, supervisor.reader, clock);
  const dialogue = new Dialogue({
    store,
    supervisor,
    notices,
    news,
    agent,
    toolbox: toolboxOf(ground, keeping, inputs, views),
    clock,
    redact: secrets.redact,
    tell: told.tell,
    newId: {
      turn: newId(TurnId, 'turn_'),
      message: newId(MessageId, 'msg_'),
      question: newId(QuestionId, 'qst_'),
    },
    settings: dialogueSettingsOf(configuration, configuration.model ?? models.defaultModel),
  });
  await dialogue.start();
  opened.add(() => dialogue.stop());
  upkeep.also('looking into the inboxes', () => dialogue.inbox.look());
  return { dialogue, catalogue, inputs, views };
}

function toolboxOf(
  { home, configuration, clock, secrets: { redact }, umask, told: { tell }, opened }: Ground,
  { store, supervisor }: Keeping,
  inputs: Inputs,
  views: Views,
): () => Promise<Toolbox> {
  const servers = new McpServers(configuration.mcpServers, { clock, redact, version, figures: MCP_FIGURES, tell });
  opened.add(() => servers.stop());
  const homes = { home: homedir(), rouseHome: home.path };
  const settings = { ...homes, umask, approval: configuration.approval, ...configuration.turns };
  return allTools({ store, supervisor, views, inputs, clock, redact }, settings, servers);
}

const dialogueSettingsOf = ({ turns, budget, resume }: Configuration, defaultModel: string): DialogueSettings => ({
  ...turns,
  budget,
  resume: {
    freshMs: resume.freshMs,
    tries: resume.tries,
    boots: { count: resume.badBoots, withinMs: resume.badBootsWithinMs },
  },
  defaultModel,
});
