/** What can be said of a session when it is made and when it is changed. */
import { Option, type Command } from 'commander';
import type { SessionAnswer } from '../../contract/session.js';
import { AgentPolicy, PeoplePolicy } from '../../contract/notice.js';
import { say, type Caller } from '../caller.js';

export type SessionOptions = {
  /** False takes it away. */
  webhook?: string | false;
  secret?: string;
  people?: PeoplePolicy;
  wakes?: AgentPolicy;
  model?: string | false;
};

export const withSessionOptions = (command: Command): Command =>
  command
    .option('--webhook <url>', 'where its notices are sent')
    .option('--secret <secret>', 'what signs them, at least 16 characters (default: the host makes one)')
    .addOption(new Option('--people <policy>', 'what people are told of').choices(PeoplePolicy.options))
    .addOption(new Option('--wakes <policy>', 'what its reader is woken for').choices(AgentPolicy.options))
    .option('--model <model>', 'the model of its agent');

/** As the host wants them. */
export function settingsOf({ webhook, secret, people, wakes, model }: SessionOptions) {
  return {
    ...(typeof webhook === 'string' && { webhook: { url: webhook, ...(secret !== undefined && { secret }) } }),
    ...(people && { people }),
    ...(wakes && { wakes }),
    ...(typeof model === 'string' && { model }),
  };
}

/** A secret signs what goes to a webhook, and there is none to be signed for. */
export function refuseLoneSecret({ webhook, secret }: SessionOptions, command: Command): void {
  if (secret !== undefined && typeof webhook !== 'string')
    command.error('A secret goes with a webhook: give --webhook URL as well.');
}

/** Once, and to a person: what the caller gave himself he knows. */
export function tellSecret(caller: Caller, { webhookSecret }: SessionAnswer, { secret }: SessionOptions): void {
  if (webhookSecret !== undefined && secret === undefined)
    say(caller, `The secret of its webhook, which is told only this once: ${webhookSecret}`);
}
