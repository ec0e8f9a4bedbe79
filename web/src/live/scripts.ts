/**
 * The workers that the page may start. The content policy of the page allows only script addresses from here, and these
 * are fixed at build time.
 */
// The build creates this export.
// oxlint-disable-next-line import/default
import keeper from '../worker/line-keeper.ts?sharedworker&url';

const OURS = { keeper, push: '/sw.js' } as const;

type Policy = { createScriptURL(name: string): string };
type Policies = { createPolicy(name: string, rules: Policy): Policy };

const rules: Policy = {
  createScriptURL(name) {
    const url = Object.entries(OURS).find(([known]) => known === name)?.[1];
    if (!url) throw new Error(`There is no script ${name}.`);
    return url;
  },
};

// Browsers without trusted types do not enforce the policy either.
const { trustedTypes } = globalThis as { trustedTypes?: Policies };
const policy = trustedTypes?.createPolicy('rouse', rules) ?? rules;

/** The address of a worker, as a trusted type where the browser has them. */
export const scriptOf = (name: keyof typeof OURS): string => policy.createScriptURL(name);
