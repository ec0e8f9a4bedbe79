/** The list on the page has a limit; a filtered read finds older notices. */
import { host } from '../state/host';
import { notices } from '../state/notices';

export async function readNotices(filter: Parameters<typeof host.notices>[0]): Promise<void> {
  // On failure the known notices stay, and the connection state shows that the host is away.
  notices.learn(await host.notices({ limit: 300, ...filter }).catch(() => []));
}
