/** The composition root: the only file that knows every implementation. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Catalogue } from './agent/catalogue.js';
import { ModelAgent } from './agent/model-agent.js';
import { modelSettings, secretVariables } from './agent/settings.js';
import type { Clock } from './clock.js';
import { systemClock } from './clock/system.js';
import { configurationOf, homeOf, type Configuration } from './configuration.js';
import { BrowserId, MessageId, NoticeId, ProcessId, QuestionId, SessionId, TurnId } from './contract/ids.js';
import { WebhookCourier } from './courier/webhook.js';
import { modelBlock } from './domain/notice-block.js';
import { redactor } from './domain/redaction.js';
import { openDoor } from './door.js';
import { Home } from './home.js';
import { Opened } from './opened.js';
import type { Place } from './place.js';
import { isModelKey, loginEnvironment } from './place/local/login-environment.js';
import { LocalPlace } from './place/local/place.js';
import { toolsOf } from './place/local/tools.js';
import { WebPush } from './push/web-push.js';
import { Browsers } from './runtime/browsers.js';
import { Delivery } from './runtime/delivery.js';
import { DroppedFiles } from './runtime/dropped-files.js';
import { Dialogue, type DialogueSettings } from './runtime/dialogue.js';
import { Inputs } from './runtime/inputs.js';
import { News } from './runtime/news.js';
import { noticeView } from './runtime/notice-view.js';
import { Notices } from './runtime/notices.js';
import { Presence } from './runtime/presence.js';
import { Pusher } from './runtime/pusher.js';
import { Sessions } from './runtime/sessions.js';
import { SignInLinks } from './runtime/sign-in-links.js';
import { AllTools } from './runtime/tools/all.js';
import { MCP_FIGURES, McpServers } from './runtime/tools/mcp.js';
import { Subscriptions } from './runtime/subscriptions.js';
import { Supervisor, type SupervisorSettings } from './runtime/supervisor.js';
import { Upkeep } from './runtime/upkeep.js';
import { Views } from './runtime/view.js';
import type { NoticeRecord, Numbered, SessionRecord, Store } from './store.js';
import { SqliteStore } from './store/sqlite/store.js';
import { telemetry } from './telemetry.js';

export type Host = {
  readonly url: string;
  readonly home: string;
  readonly token: string;
  /** A link by which one browser comes in, however long it takes. */
  signInLink(): string;
  /** Over when the host has let go of everything. Processes go on. */
  stop(why: string): Promise<void>;
};

export type ServeOptions = {
  readonly env: NodeJS.ProcessEnv;
  readonly port?: number;
  readonly host?: string;
  /** Takes any free port when the configured one is taken. */
  readonly anyPort?: boolean;
  /** The folder of the page; by default the one beside this program. */
  readonly page?: string;
  /** A test puts its own in front of the real ones, to die or to fail at a chosen call. */
  readonly around?: { readonly store?: (store: Store) => Store; readonly place?: (place: Place) => Place };
};

const LOGIN_MS = 5_000;
const LAUNCH_MS = 10_000;
const OWN_PAGE = fileURLToPath(new URL('page', import.meta.url));

export const version: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

export async function serve(options: ServeOptions): Promise<Host> {
  const path = homeOf(options.env);
  const configuration = configurationOf(path, options.env, {
    ...(options.port !== undefined && { port: options.port }),
    ...(options.host && { host: options.host }),
  });
  // From here on everything we make is ours alone; commands get the person's own mask back.
  const umask = process.umask(0o077);
  const opened = new Opened();
  try {
    const home = await Home.take(path);
    opened.add(() => home.leave());
    return await open(home, configuration, options, umask, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function open(
  home: Home,
  configuration: Configuration,
  options: ServeOptions,
  umask: number,
  opened: Opened,
): Promise<Host> {
  const { env, around = {} } = options;
  const clock = systemClock;
  const token = home.token(env['ROUSE_TOKEN']);
  const models = modelSettings(env, configuration.providers);
  const isKey = (name: string) => isModelKey(name) || secretVariables(models).includes(name);
  const modelKeys = Object.entries(env).flatMap(([name, value]) => (isKey(name) && value ? [value] : []));
  const secrets = redactor([token, ...modelKeys]);
  const told = telemetry(configuration.logLevel, secrets.redact);
  const { tell, log } = told;

  const fellBack = (why: string) => log.warn({ why }, 'login environment not read');
  const local = localPlace(home.path, configuration, env, isKey, umask, clock, fellBack);
  const place = around.place?.(local) ?? local;
  opened.add(() => place.close());
  const sqlite = await SqliteStore.open(join(home.path, 'rouse.db'), clock, {
    used: (await place.folders()).length > 0,
  });
  const store = around.store?.(sqlite) ?? sqlite;
  opened.add(() => store.close());

  const news = new News();
  const notices = new Notices(store, clock, newId(NoticeId, 'ntc_'), news, tell);
  const { retention, delivery: figures } = configuration;
  const settings = settingsOf(configuration);
  const supervisor = new Supervisor(store, [place], clock, newId(ProcessId, 'proc_'), notices, secrets, settings, tell);
  opened.add(() => supervisor.stop());
  told.watchRunning(() => supervisor.unfinished.length);
  await supervisor.recover();
  const upkeep = new Upkeep(supervisor, store, clock, retention, tell);
  await upkeep.forget().catch((error: unknown) => tell({ kind: 'fault', during: 'forgetting ended processes', error }));
  upkeep.start();
  opened.add(() => upkeep.stop());

  const courier = new WebhookCourier(clock, figures.timeoutMs, `rouse/${version}`);
  const body = (notice: Numbered<NoticeRecord>, session: SessionRecord) => ({
    notice: noticeView(notice, session),
    text: modelBlock([notice]),
  });
  const delivery = new Delivery(store, notices, courier, news, clock, figures, body, tell);
  await delivery.start();
  opened.add(() => delivery.stop());

  const catalogue = new Catalogue({ settings: models, path: join(home.path, 'models.json'), clock });
  const agent = new ModelAgent({ settings: models, clock, windowOf: (model) => catalogue.windowOf(model) });
  const inputs = new Inputs(supervisor, configuration.limits.waitingInputs);
  const views = new Views(supervisor, supervisor.reader, clock);
  const homes = { home: homedir(), rouseHome: home.path };
  const toolParts = { store, supervisor, views, inputs, clock, redact: secrets.redact };
  const { redact } = secrets;
  const servers = new McpServers(configuration.mcpServers, { clock, redact, version, figures: MCP_FIGURES, tell });
  opened.add(() => servers.stop());
  const toolSettings = { ...homes, umask, approval: configuration.approval, ...configuration.turns };
  const toolbox = new AllTools(toolParts, toolSettings, servers);
  const dialogue = new Dialogue({
    store,
    supervisor,
    notices,
    news,
    agent,
    toolbox,
    clock,
    redact,
    tell,
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

  const { mailboxes, conversation, live } = dialogue;
  const { reader } = supervisor;
  const sessions = new Sessions(
    store,
    supervisor,
    notices,
    mailboxes,
    news,
    clock,
    newId(SessionId, 'ses_'),
    newWebhookSecret,
  );
  const browsers = new Browsers(store, clock, newId(BrowserId, 'brw_'), newSecret);
  await browsers.recall();
  const files = new DroppedFiles(home.path, newSecret);
  await files.start();
  const presence = new Presence();
  const push = new WebPush(clock, configuration.push);
  const subscriptions = new Subscriptions(store, () => push.newKeys());
  await subscriptions.recall();
  const pushing = { store, subscriptions, push, presence, browsers, news, clock, redact, tell };
  const pusher = new Pusher({ ...pushing, figures: configuration.push });
  const parts = {
    store,
    supervisor,
    sessions,
    notices,
    conversation,
    news,
    live,
    reader,
    inputs,
    views,
    clock,
    catalogue,
    version,
    defaultModel: dialogue.parts.settings.defaultModel,
    figures: told.figures,
    startedAt: clock.now(),
    browsers,
    files,
    links: new SignInLinks(clock, newSecret),
    presence,
    push,
    subscriptions,
    fault: (during: string, error: unknown) => tell({ kind: 'fault', during, error }),
  };
  const { anyPort = false, page = OWN_PAGE } = options;
  const { url, signInLink, close } = await openDoor(parts, { ...configuration, token, anyPort, page }, clock);
  opened.add(close);
  pusher.start();
  opened.add(() => pusher.stop());
  upkeep.also('looking for words to push', () => pusher.look());
  home.announce({ pid: process.pid, url, version, startedAt: new Date(clock.now()).toISOString() });
  log.info({ url, home: home.path, version, node: process.version }, 'serving');
  const stop = async (why: string) => {
    log.info({ why, running: supervisor.unfinished.length }, 'stopping');
    await opened.close();
  };
  return { url, home: home.path, token, signInLink, stop };
}

const settingsOf = ({ limits, output, kill, notices, watch, breaker }: Configuration): SupervisorSettings => ({
  ...limits,
  quotaBytes: output.quotaBytes,
  graceMs: kill.graceMs,
  launchMs: LAUNCH_MS,
  tail: { lines: notices.tailLines, characters: notices.tailCharacters },
  watching: { watch, breaker },
});

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

/** The login environment is asked for at once and waited for by nobody but the first start. */
function localPlace(
  home: string,
  configuration: Configuration,
  env: NodeJS.ProcessEnv,
  isKey: (name: string) => boolean,
  umask: number,
  clock: Clock,
  warn: (why: string) => void,
): LocalPlace {
  const loginShell = env['SHELL'] || userInfo().shell || '/bin/sh';
  const login = loginEnvironment(clock, loginShell, env, LOGIN_MS).then(({ env: told, fellBack }) => {
    if (fellBack) warn(fellBack);
    return Object.fromEntries(Object.entries(told).filter(([name]) => !isKey(name)));
  });
  const tools = toolsOf(env, { shell: configuration.shell, loginShell, umask });
  return new LocalPlace(home, tools, login, clock);
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 80 bits of chance, in letters that are not mistaken for each other. */
const newId =
  <Id>(shape: { parse(text: string): Id }, prefix: string) =>
  (): Id =>
    shape.parse(prefix + Array.from(randomBytes(16), (byte) => ALPHABET[byte % 32]).join(''));

const newSecret = (): string => randomBytes(32).toString('base64url');

const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
