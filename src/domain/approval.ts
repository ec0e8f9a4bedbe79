/**
 * Whether a command of an agent runs, asks a person first, or does not run.
 *
 *   1. An approval is for exactly this text, in this folder, at this place. Another space is another command.
 *   2. It is for once, unless the person says always; then it stands on the list of what is allowed.
 *   3. Only a person consents, in a word that means it. Silence, a time-out, a notice and any other text do not.
 */
import { risk, type Surroundings } from './risk.js';

export type ApprovalPolicy = 'risky' | 'ask' | 'allow' | 'deny';

/** A command as a person is asked about it, and as it stands on the list. */
export type Asked = { readonly command: string; readonly cwd: string; readonly place: string };

export type Judgement =
  | { readonly kind: 'run' }
  | { readonly kind: 'ask'; readonly why: string }
  | { readonly kind: 'deny'; readonly why: string };

export function judge(
  policy: ApprovalPolicy,
  asked: Asked,
  allowed: readonly Asked[],
  homes: Omit<Surroundings, 'cwd'>,
): Judgement {
  switch (policy) {
    case 'allow':
      return { kind: 'run' };
    case 'deny':
      return { kind: 'deny', why: 'Commands are not run here: the approval policy is "deny".' };
    case 'ask':
      return isListed(asked, allowed)
        ? { kind: 'run' }
        : { kind: 'ask', why: 'Every command that is not yet allowed asks first.' };
    case 'risky':
      return isListed(asked, allowed) ? { kind: 'run' } : judgeRisk(asked, homes);
  }
}

function judgeRisk(asked: Asked, homes: Omit<Surroundings, 'cwd'>): Judgement {
  const found = risk(asked.command, { ...homes, cwd: asked.cwd });
  return found.kind === 'plain' ? { kind: 'run' } : { kind: 'ask', why: `It asks first because ${found.why}.` };
}

export const covers = (approval: Asked, asked: Asked): boolean =>
  approval.command === asked.command && approval.cwd === asked.cwd && approval.place === asked.place;

const isListed = (asked: Asked, allowed: readonly Asked[]): boolean =>
  allowed.some((approval) => covers(approval, asked));

export type Consent = 'once' | 'always' | 'no';

const CONSENT: Readonly<Record<string, Consent>> = {
  yes: 'once',
  y: 'once',
  once: 'once',
  run: 'once',
  'run it': 'once',
  approve: 'once',
  always: 'always',
};

/** The choices to offer; any other answer is a no, and is told to the agent as it is. */
export const consentChoices = ['yes', 'always', 'no'] as const;

export function consent(answer: { readonly text: string; readonly by: 'person' | 'timeout' }): Consent {
  const word = answer.text.trim().toLowerCase().replace(/[.!]$/, '');
  return answer.by === 'person' && Object.hasOwn(CONSENT, word) ? (CONSENT[word] ?? 'no') : 'no';
}
