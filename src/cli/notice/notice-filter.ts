import type { NoticeState } from '../../contract/notice.js';

export type NoticeOptions = {
  session?: string;
  process?: string;
  state?: NoticeState;
  limit: number;
  follow?: boolean;
  json?: boolean;
};

/** Which notices the host is asked for. */
export const filterOf = ({ session, process, state }: NoticeOptions) => ({
  ...(session !== undefined && { session }),
  ...(process !== undefined && { process }),
  ...(state && { state }),
});
