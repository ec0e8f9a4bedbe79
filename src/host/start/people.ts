import { BrowserId, SessionId } from '../../contract/ids.js';
import { openDoor, type DoorSettings, type OpenDoor } from '../door.js';
import { WebPush } from '../../push/web-push.js';
import { Browsers, SignInLinks } from '../../runtime/people/sign-in.js';
import { DroppedFiles } from '../../runtime/people/dropped-files.js';
import { Presence, Pusher, type PusherParts } from '../../runtime/people/pusher.js';
import { Sessions } from '../../runtime/session/sessions.js';
import { Subscriptions } from '../../runtime/people/subscriptions.js';
import { version } from '../../version.js';
import { newId, newSecret, newWebhookSecret } from './new-id.js';
import type { Ground } from './foundation.js';
import type { Keeping } from './processes.js';
import type { Talking } from './sessions.js';

export async function letPeopleIn(
  ground: Ground,
  keeping: Keeping,
  { dialogue, ...talking }: Talking,
  { anyPort, page }: Pick<DoorSettings, 'anyPort' | 'page'>,
): Promise<OpenDoor> {
  const { home, configuration, clock, token, told, opened } = ground;
  const { store, supervisor, notices, news } = keeping;
  const { mailboxes, conversation, live } = dialogue;
  const ids = newId(SessionId, 'ses_');
  const sessions = new Sessions(store, supervisor, notices, mailboxes, news, clock, ids, newWebhookSecret);
  const browsers = new Browsers(store, clock, newId(BrowserId, 'brw_'), newSecret);
  await browsers.recall();
  const files = new DroppedFiles(home.path, newSecret);
  await files.start();
  const presence = new Presence();
  const push = new WebPush(clock, configuration.push);
  const subscriptions = new Subscriptions(store, () => push.newKeys());
  await subscriptions.recall();
  const parts = {
    ...keeping,
    ...talking,
    sessions,
    conversation,
    live,
    reader: supervisor.reader,
    clock,
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
    processesMay: configuration.processesMay,
    tell: told.tell,
    fault: (during: string, error: unknown) => told.tell({ kind: 'fault', during, error }),
  };
  const door = await openDoor(parts, { ...configuration, token, anyPort, page }, clock);
  opened.add(door.close);
  pushWords(ground, keeping, { subscriptions, push, presence, browsers });
  return door;
}

/** To browsers whose page is closed. */
function pushWords(
  { configuration, clock, secrets: { redact }, told: { tell }, opened }: Ground,
  { store, news, upkeep }: Keeping,
  browsers: Pick<PusherParts, 'subscriptions' | 'push' | 'presence' | 'browsers'>,
): void {
  const pusher = new Pusher({ ...browsers, store, news, clock, redact, tell, figures: configuration.push });
  pusher.start();
  opened.add(() => pusher.stop());
  upkeep.also('looking for words to push', () => pusher.look());
}
