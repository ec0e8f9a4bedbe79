import { WebhookCourier } from '../../courier/webhook.js';
import { modelBlock } from '../../domain/notice/notice-block.js';
import { Delivery } from '../../runtime/notice/delivery.js';
import { noticeView } from '../../runtime/notice/notice-view.js';
import type { NoticeRecord, Numbered, SessionRecord } from '../../ports/store.js';
import { version } from '../../version.js';
import type { Ground } from './foundation.js';
import type { Keeping } from './processes.js';

export async function deliverNotices(
  { configuration, clock, told, opened }: Ground,
  { store, notices, news }: Keeping,
): Promise<void> {
  const figures = configuration.delivery;
  const courier = new WebhookCourier(clock, figures.timeoutMs, `rouse/${version}`);
  const body = async (notice: Numbered<NoticeRecord>, session: SessionRecord) => {
    const process = notice.process && (await store.processes.get(notice.process));
    const view = noticeView(notice, session, process);
    return { notice: view, text: modelBlock([view]) };
  };
  const delivery = new Delivery(store, notices, courier, news, clock, figures, body, told.tell);
  await delivery.start();
  opened.add(() => delivery.stop());
}
