/** What a person may do about a notice that reached nobody. */
import type { RouseClient } from '../../client/client.js';
import type { NoticeAnswer } from '../../contract/notice.js';
import { hostOf } from '../host/background.js';
import { answer, say, type Caller } from '../caller.js';
import { DONE, FAILED, NOTICE_ID, type AddCommand } from '../command.js';
import { explain } from '../failure.js';

type Settle = (client: RouseClient, id: string) => Promise<NoticeAnswer>;

export const addRetry: AddCommand = (notices, caller, ends) => {
  notices
    .command('retry')
    .description('try dead notices again, from now on')
    .argument('<id...>', NOTICE_ID)
    .action(ends((ids: string[]) => settleAll(caller, ids, (client, id) => client.retry(id), 'is tried again')));
};

export const addDismiss: AddCommand = (notices, caller, ends) => {
  notices
    .command('dismiss')
    .description('settle notices that nobody needs any more')
    .argument('<id...>', NOTICE_ID)
    .action(ends((ids: string[]) => settleAll(caller, ids, (client, id) => client.dismiss(id), 'is dismissed')));
};

/** One that cannot be settled does not keep the others from it. */
async function settleAll(caller: Caller, ids: readonly string[], settle: Settle, told: string): Promise<number> {
  const client = await hostOf(caller);
  let status = DONE;
  for (const id of ids)
    try {
      const { notice } = await settle(client, id);
      answer(caller, `${notice.id} ${told}: ${notice.line}`);
    } catch (error) {
      say(caller, explain(error, caller));
      status = FAILED;
    }
  return status;
}
