/** What `rouse doctor` finds, by the name of the check. */
import { rouse } from './rouse.js';

type Findings = { findings: { check: string; verdict: string; says: string }[] };

export async function diagnosis(home: string, env: NodeJS.ProcessEnv = {}) {
  const { status, stdout } = await rouse(home, ['doctor', '--json'], { env });
  const { findings } = JSON.parse(stdout) as Findings;
  return { status, of: (check: string) => findings.find((finding) => finding.check === check) };
}
