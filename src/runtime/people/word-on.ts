/** What there is to tell people of a change, as things stand now. */
import type { NoticeId } from '../../contract/ids.js';
import type { Entry } from '../../contract/journal.js';
import { LOOK_BACK, wordOnEntry, wordOnNotice, type Word } from '../../contract/word.js';
import { isStillNews } from '../../domain/people/attention.js';
import type { Store } from '../../ports/store.js';
import type { Change } from './feed.js';
import { noticeView } from '../notice/notice-view.js';

export async function wordOn(
  change: Change,
  store: Store,
  redact: (text: string) => string,
): Promise<Word | undefined> {
  switch (change.kind) {
    case 'entry':
      return onEntry(change.entry, store, redact);
    case 'notice':
      return onNotice(change.notice.id, store);
  }
}

async function onEntry(entry: Entry, store: Store, redact: (text: string) => string): Promise<Word | undefined> {
  const session = await store.sessions.get(entry.session);
  const before = await store.journal.before(entry.session, entry.seq, LOOK_BACK);
  const word = session && wordOnEntry(entry, before, session, redact);
  const question = entry.kind === 'question' ? entry.question : undefined;
  return word && isStillNews(word, session, question) ? word : undefined;
}

async function onNotice(id: NoticeId, store: Store): Promise<Word | undefined> {
  const notice = await store.notices.get(id);
  const session = notice && (await store.sessions.get(notice.session));
  const word = session && wordOnNotice(noticeView(notice, session), session);
  return word && isStillNews(word, session) ? word : undefined;
}
