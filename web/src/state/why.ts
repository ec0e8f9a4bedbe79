import { host } from './host';

/** Numbers of our rules, such as ` (N7)`: useful in a terminal next to the documentation, noise on the page. */
const RULE = / \([A-Z]\d+\)/g;

/** Why a notice, a process or a session is in its state, in sentences. */
export async function explain(id: string): Promise<readonly string[]> {
  const { sentences } = await host.why(id);
  return sentences.map((sentence) => sentence.replace(RULE, ''));
}
