import { computed } from '@preact/signals';
import type { NoticeId } from 'rouse/contract/ids';
import type { NoticeView } from 'rouse/contract/notice';
import { Collection } from './collection';
import { host } from './host';
import { listen } from './live';

const LISTED = 300;

export const notices = new Collection<NoticeId, NoticeView>(() => host.notices({ limit: LISTED }));

listen((event) => void (event.kind === 'notice' && notices.put(event.notice)));

export const listedNotices = computed(() => notices.all.value.toSorted((a, b) => b.seq - a.seq));

/** Notices that stay undelivered unless a person retries them. */
export const deadNotices = computed(() => listedNotices.value.filter(({ state }) => state === 'dead'));
