/**
 * Whether an agent's action runs, asks a person first, or is refused.
 *
 *   1. One policy for everything that acts: commands, input to processes, written files, tools of MCP servers.
 *      Reading never asks, nor does ending a process that the session itself started.
 *   2. An approval covers exactly this text, in this folder, at this place. One more space is another command.
 *   3. It is valid once, unless the person answers always; then it is added to the list of what is allowed.
 *   4. Only a person consents, with one of the words below. Silence, a time-out, a notice and any other text do not.
 */
export type ApprovalPolicy = 'risky' | 'ask' | 'allow' | 'deny';

/** Without a kind it is a command. A file is identified by its path, a tool by its name and arguments. */
export type ActKind = 'command' | 'input' | 'file' | 'tool';

/** What a person is asked about, and what the list holds. */
export type Asked = {
  readonly kind?: ActKind | undefined;
  readonly command: string;
  readonly cwd: string;
  readonly place: string;
};

export type Judgement =
  | { readonly kind: 'run' }
  | { readonly kind: 'ask'; readonly why: string }
  | { readonly kind: 'deny'; readonly why: string };

/** Calls `whyRisky` only under the policy that needs it. */
export function judge(
  policy: ApprovalPolicy,
  asked: Asked,
  allowed: readonly Asked[],
  whyRisky: () => string | undefined,
): Judgement {
  switch (policy) {
    case 'allow':
      return { kind: 'run' };
    case 'deny':
      return { kind: 'deny', why: 'The approval policy is "deny": only reading is allowed here.' };
    case 'ask':
      return isListed(asked, allowed) ? { kind: 'run' } : { kind: 'ask', why: ASKS_ALWAYS };
    case 'risky':
      return isListed(asked, allowed) ? { kind: 'run' } : judgeRisk(whyRisky());
  }
}

const ASKS_ALWAYS = 'The approval policy is "ask": Rouse asks before anything that is not allowed yet.';

const judgeRisk = (why: string | undefined): Judgement =>
  why === undefined ? { kind: 'run' } : { kind: 'ask', why: `Rouse asks first because ${why}.` };

export const covers = (approval: Asked, asked: Asked): boolean =>
  (approval.kind ?? 'command') === (asked.kind ?? 'command') &&
  approval.command === asked.command &&
  approval.cwd === asked.cwd &&
  approval.place === asked.place;

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

/** The choices to offer; any other answer is a no, and the agent sees its text. */
export const consentChoices = ['yes', 'always', 'no'] as const;

export function consent(answer: { readonly text: string; readonly by: 'person' | 'timeout' }): Consent {
  const word = answer.text.trim().toLowerCase().replace(/[.!]$/, '');
  return answer.by === 'person' && Object.hasOwn(CONSENT, word) ? (CONSENT[word] ?? 'no') : 'no';
}
