import { randomBytes } from 'node:crypto';
import { BrowserId, SessionId } from '../../contract/ids.js';
import { openServer, type ServerSettings, type OpenServer } from '../http-server.js';
import { WebPush } from '../../push/web-push.js';
import { Browsers, SignInLinks } from '../../runtime/people/sign-in.js';
import { DroppedFiles } from '../../runtime/people/dropped-files.js';
import { Presence, Pusher, type PusherParts } from '../../runtime/people/pusher.js';
import { Sessions } from '../../runtime/session/sessions.js';
import { Subscriptions } from '../../runtime/people/subscriptions.js';
import { version } from '../../version.js';
import { newId, type Foundation } from './foundation.js';
import type { Processes } from './processes.js';
import type { SessionParts } from './sessions.js';

const newSecret = (): string => randomBytes(32).toString('base64url');
const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export async function openToPeople(
  foundation: Foundation,
  processes: Processes,
  { engine, ...sessionParts }: SessionParts,
  { anyPort, page }: Pick<ServerSettings, 'anyPort' | 'page'>,
): Promise<OpenServer> {
  const { home, configuration, clock, token, telemetry, opened } = foundation;
  const { store, supervisor } = processes;
  const { mailboxes, conversation, live } = engine;
  const newSessionId = newId(SessionId, 'ses_');
  const sessions = new Sessions({ ...processes, mailboxes, clock, newSessionId, newWebhookSecret });
  const browsers = new Browsers(store, clock, newId(BrowserId, 'brw_'), newSecret);
  await browsers.recall();
  const files = new DroppedFiles(home.path, newSecret);
  await files.start();
  const presence = new Presence();
  const push = new WebPush(clock, configuration.push);
  const subscriptions = new Subscriptions(store, () => push.newKeys());
  await subscriptions.recall();
  const parts = {
    ...processes,
    ...sessionParts,
    sessions,
    conversation,
    live,
    reader: supervisor.reader,
    clock,
    version,
    defaultModel: engine.parts.defaultModel,
    figures: telemetry.figures,
    startedAt: clock.now(),
    browsers,
    files,
    links: new SignInLinks(clock, newSecret),
    presence,
    push,
    subscriptions,
    processesMay: configuration.processesMay,
    tell: telemetry.tell,
    fault: (during: string, error: unknown) => telemetry.tell({ kind: 'fault', during, error }),
  };
  const server = await openServer(parts, { ...configuration, token, anyPort, page }, clock);
  opened.add(server.close);
  startPusher(foundation, processes, { subscriptions, push, presence, browsers });
  return server;
}

/** Notifies browsers whose page is closed. */
function startPusher(
  { configuration, clock, secrets: { redact }, telemetry: { tell }, opened }: Foundation,
  { store, news, upkeep }: Processes,
  browsers: Pick<PusherParts, 'subscriptions' | 'push' | 'presence' | 'browsers'>,
): void {
  const pusher = new Pusher({ ...browsers, store, news, clock, redact, tell, figures: configuration.push });
  pusher.start();
  opened.add(() => pusher.stop());
  upkeep.also('looking for words to push', () => pusher.look());
}
