/** The list that is kept is cut at some length: what is looked for may be older. */
import { host } from '../state/host';
import { notices } from '../state/notices';

export async function readNotices(filter: Parameters<typeof host.notices>[0]): Promise<void> {
  // Not worth a word when it fails: what is known is shown, and the line says that the host is away.
  notices.learn(await host.notices({ limit: 300, ...filter }).catch(() => []));
}
