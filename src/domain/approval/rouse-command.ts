/** Whether a command runs Rouse itself: with it an agent could answer its own questions. */
import { baseName, targetsOf, type Call } from './call.js';
import { danger, type Finding } from './finding.js';

const ITSELF = /^rouse(?:\.[cm]?[jt]s)?(?:@.*)?$/;
/** With what they are told to run as their first word, or behind a word that says so. */
const RUNNERS = /^(?:npx|bunx|pnpx|node|nodejs|bun|deno|tsx|ts-node|sh|bash|dash|zsh)$/;
const MANAGERS = /^(?:npm|pnpm|yarn|bun|corepack|volta|mise)$/;

export function runsRouse({ name, args }: Call): Finding | undefined {
  const targets = targetsOf(args).map(({ text }) => baseName(text));
  const runs =
    ITSELF.test(name) ||
    (RUNNERS.test(name) &&
      targets.slice(0, 2).some((text, index) => ITSELF.test(text) && (index === 0 || targets[0] === 'run'))) ||
    (RUNNERS.test(name) && /^npx|bunx|pnpx$/.test(name) && args.some(({ text }) => ITSELF.test(text))) ||
    (MANAGERS.test(name) &&
      /^(?:exec|x|dlx|run)$/.test(targets[0] ?? '') &&
      targets.slice(1).some((text) => ITSELF.test(text)));
  return runs ? danger('it runs Rouse itself, which can answer questions and change sessions') : undefined;
}
