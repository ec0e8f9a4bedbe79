/** Asks a person before a tool acts, where the policy requires it, and stores what people allowed for good. */
import { z } from 'zod';
import { printable } from '../../../contract/display.js';
import {
  consent,
  consentChoices,
  judge,
  covers,
  type ActKind,
  type ApprovalPolicy,
  type Asked,
} from '../../../domain/approval/approval.js';
import { shortened } from '../../../domain/output/excerpt.js';
import type { Answer } from '../../../domain/session/open-question.js';
import type { Homes } from '../../../domain/approval/vital-path.js';
import type { ToolContext } from './tool.js';
import type { ValueReader, Store } from '../../../ports/store.js';

export type ApprovalParts = {
  readonly policy: ApprovalPolicy;
  readonly approvals: Approvals;
  readonly homes: Homes;
  readonly redact: (text: string) => string;
};

/** What a tool is about to do. */
export type Act = Asked & {
  /** Why the policy `risky` asks about it; undefined where it does not. */
  readonly whyRisky: () => string | undefined;
  /** What the person sees, where that is more than what an approval is for. */
  readonly shown?: string;
};

const WORDS: Readonly<Record<ActKind, { readonly question: string; readonly undone: string }>> = {
  command: { question: 'May this command run?', undone: 'The command was not run' },
  input: { question: 'May this be typed into the process?', undone: 'Nothing was sent' },
  file: {
    question: 'May this file be written? "always" allows every later write to this path.',
    undone: 'The file was not written',
  },
  tool: { question: 'May this tool be called with these arguments?', undone: 'The tool was not called' },
};

/** Why it is not done, in a sentence for the model; nothing when it may be. */
export async function objection(
  { whyRisky, shown, ...asked }: Act,
  { ask, signal, askedBefore }: Pick<ToolContext, 'ask' | 'signal' | 'askedBefore'>,
  { policy, approvals, redact }: ApprovalParts,
): Promise<string | undefined> {
  const judgement = judge(policy, asked, await approvals.allowed(), whyRisky);
  const { question, undone } = WORDS[asked.kind ?? 'command'];
  if (judgement.kind === 'deny') return `${undone}. ${judgement.why}`;
  if (judgement.kind === 'run' && !askedBefore) return undefined;
  const why = judgement.kind === 'ask' ? judgement.why : '';
  const { cwd, place } = asked;
  // What is remembered for good must not hold a secret, and without it it would be something else.
  const choices = consentChoices.filter((choice) => choice !== 'always' || redact(asked.command) === asked.command);
  const about = { kind: 'approval' as const, command: shown ?? asked.command, cwd, place };
  const answer = await ask({ text: `${question} ${why}`, choices, about });
  if (signal.aborted) return `The turn is over. ${undone}.`;
  const given = answer.by === 'person' ? consent(answer) : 'no';
  if (given === 'always' && choices.includes('always')) await approvals.allow(asked);
  return given === 'no' ? refused(undone, answer, why) : undefined;
}

const refused = (undone: string, answer: Answer, why: string): string =>
  answer.by === 'timeout'
    ? `${undone}: it needs a person's approval, and none came in time, so it counts as denied. ${why} ${GO_ON}`
    : `${undone}: a person was asked and answered "${shortened(printable(answer.text), 500)}". ${GO_ON}`;

const GO_ON = 'Do not try the same in another form; continue without it, or say what you need.';

export interface Approvals {
  allowed(): Promise<readonly Asked[]>;
  /** From now on exactly this runs without a question. Again for the same: the same. */
  allow(exact: Asked): Promise<void>;
}

const NAME = 'approved commands';

const Kept = z.array(
  z.object({
    kind: z.enum(['command', 'input', 'file', 'tool']).optional(),
    command: z.string(),
    cwd: z.string(),
    place: z.string(),
  }),
);

export class StoredApprovals implements Approvals {
  constructor(readonly store: Store) {}

  allowed(): Promise<readonly Asked[]> {
    return listIn(this.store.values);
  }

  async allow({ kind, command, cwd, place }: Asked): Promise<void> {
    const exact = { ...(kind && { kind }), command, cwd, place };
    await this.store.transact(async ({ values }) => {
      const allowed = await listIn(values);
      if (!allowed.some((approval) => covers(approval, exact))) await values.put(NAME, [...allowed, exact]);
    });
  }
}

const listIn = async (values: ValueReader): Promise<readonly Asked[]> => Kept.parse((await values.get(NAME)) ?? []);
