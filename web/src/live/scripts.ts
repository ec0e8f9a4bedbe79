/**
 * The scripts that the page may start beside itself. The policy of the page lets nothing become a script that did not
 * pass here, and here passes what was built with it.
 */
// The build makes this export.
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

// Browsers that do not know such policies do not hold the page to one either.
const { trustedTypes } = globalThis as { trustedTypes?: Policies };
const policy = trustedTypes?.createPolicy('rouse', rules) ?? rules;

/** The address of a script, in the shape that the browser takes it in. */
export const scriptOf = (name: keyof typeof OURS): string => policy.createScriptURL(name);
