import type { Caller } from '../caller.js';
import { coloursOf, pad } from '../print/table.js';
import { DONE, FAILED, print, type AddCommand } from '../command.js';
import { explain } from '../failure.js';
import type { Finding } from '../../contract/host.js';
import { isAlive, readNote } from '../../host-note.js';
import { answeringHost, homeOf, shownHome } from './find-host.js';
import { oneLine } from '../print/printable.js';

export const addDoctor: AddCommand = (program, caller, ends) => {
  program
    .command('doctor')
    .description('check the installation and suggest fixes')
    .option('--json', 'print the findings as JSON')
    .action(
      ends(async ({ json }: { json?: boolean }) => {
        const findings = [...(await caller.diagnose(caller.env)), ...(await checkHost(caller))];
        print(caller, json, { findings }, drawn(caller, findings));
        return findings.some(({ verdict }) => verdict === 'fail') ? FAILED : DONE;
      }),
    );
};

function drawn(caller: Caller, findings: readonly Finding[]): string {
  const colours = coloursOf(caller);
  const paint = { ok: colours.green, warn: colours.yellow, fail: colours.red };
  const widest = Math.max(...findings.map(({ check }) => check.length));
  return findings
    .map(({ check, verdict, says }) => `${paint[verdict](pad(verdict, 4))}  ${pad(check, widest)}  ${oneLine(says)}`)
    .join('\n');
}

async function checkHost(caller: Caller): Promise<readonly Finding[]> {
  try {
    const client = await answeringHost(caller);
    if (!client) return [withoutHost(caller)];
    const { version, startedAt } = await client.health();
    await client.list({ limit: 1 });
    const isSame = version === caller.version;
    return [
      finding(
        'host',
        'ok',
        `Running at ${client.url} since ${startedAt}; its store is readable. To open the page: rouse open`,
      ),
      isSame
        ? finding('version', 'ok', `The host and this program are ${version}.`)
        : finding(
            'version',
            'warn',
            `The host is ${version}, this program is ${caller.version}: restart the host. ${SAFE}`,
          ),
    ];
  } catch (error) {
    return [finding('host', 'fail', explain(error, caller))];
  }
}

const SAFE = 'Processes keep running meanwhile.';

function withoutHost(caller: Caller): Finding {
  const home = shownHome(caller);
  const note = readNote(homeOf(caller));
  if (!note || !isAlive(note))
    return finding('host', 'ok', `No host is running for ${home}. "rouse run" and "rouse serve" start one.`);
  const { pid, url } = note;
  const wayOut = `End it (kill -9 ${pid}) and start another: rouse serve. ${SAFE}`;
  return finding('host', 'fail', `Process ${pid} holds ${home} and does not answer at ${url}. ${wayOut}`);
}

const finding = (check: string, verdict: Finding['verdict'], says: string): Finding => ({ check, verdict, says });
