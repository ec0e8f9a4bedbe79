import { listedNotices } from '../state/notices';

export const Notices = () => <pre>{JSON.stringify(listedNotices.value, null, 1)}</pre>;
