/** Asks before a command runs, where the policy wants that. Only a person's clear word lets it through. */
import { printable } from '../../contract/words.js';
import { consent, consentChoices, judge, type ApprovalPolicy, type Asked } from '../../domain/approval.js';
import type { Surroundings } from '../../domain/risk.js';
import { shortened } from '../../domain/excerpt.js';
import type { Answer } from '../../domain/open-question.js';
import type { ToolContext } from '../tool.js';
import type { Approvals } from './approvals.js';

export type ApprovalParts = {
  readonly policy: ApprovalPolicy;
  readonly approvals: Approvals;
  readonly homes: Omit<Surroundings, 'cwd'>;
  readonly redact: (text: string) => string;
};

/** Why the command is not run, in a sentence for the model; nothing when it may. */
export async function objection(
  asked: Asked,
  { ask, signal, askedBefore }: Pick<ToolContext, 'ask' | 'signal' | 'askedBefore'>,
  { policy, approvals, homes, redact }: ApprovalParts,
): Promise<string | undefined> {
  const judgement = judge(policy, asked, await approvals.allowed(), homes);
  if (judgement.kind === 'deny') return `The command was not run. ${judgement.why}`;
  if (judgement.kind === 'run' && !askedBefore) return undefined;
  const why = judgement.kind === 'ask' ? judgement.why : '';
  // What is remembered for good must not hold a secret, and without it it would be another command.
  const choices = consentChoices.filter((choice) => choice !== 'always' || redact(asked.command) === asked.command);
  const answer = await ask({ text: `May this command run? ${why}`, choices, about: { kind: 'approval', ...asked } });
  if (signal.aborted) return 'The turn is over: the command was not run.';
  const word = answer.by === 'person' ? consent(answer) : 'no';
  if (word === 'always' && choices.includes('always')) await approvals.allow(asked);
  return word === 'no' ? refused(answer, why) : undefined;
}

const refused = (answer: Answer, why: string): string =>
  answer.by === 'timeout'
    ? `The command was not run: it needs a person's approval, and none came in time, so it counts as denied. ${why} ${GO_ON}`
    : `The command was not run: a person was asked and answered "${shortened(printable(answer.text), 500)}". ${GO_ON}`;

const GO_ON = 'Do not try the same in another form; go on without it, or say what you need.';
