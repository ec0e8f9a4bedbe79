import { answer, answerJson, type Caller } from '../caller.js';
import { coloursOf } from '../print/table.js';
import { DONE, FAILED, type AddCommand } from '../command.js';
import { explain } from '../failure.js';
import type { Finding } from '../../contract/host.js';
import { isAlive, readNote, type HostNote } from '../../host-note.js';
import { answeringHost, homeOf, shownHome } from './host.js';
import { oneLine, pad } from '../print/printable.js';

export const addDoctor: AddCommand = (program, caller, ends) => {
  program
    .command('doctor')
    .description('look whether everything is as it should be, and say the way out where it is not')
    .option('--json', 'print the findings as JSON')
    .action(ends((options: { json?: boolean }) => doctor(caller, options.json ?? false)));
};

async function doctor(caller: Caller, json: boolean): Promise<number> {
  const findings = [...(await caller.diagnose(caller.env)), ...(await lookAtHost(caller))];
  if (json) answerJson(caller, { findings });
  else answer(caller, drawn(caller, findings));
  return findings.some(({ verdict }) => verdict === 'fail') ? FAILED : DONE;
}

function drawn(caller: Caller, findings: readonly Finding[]): string {
  const colours = coloursOf(caller);
  const paint = { ok: colours.green, warn: colours.yellow, fail: colours.red };
  const widest = Math.max(...findings.map(({ check }) => check.length));
  return findings
    .map(({ check, verdict, says }) => `${paint[verdict](pad(verdict, 4))}  ${pad(check, widest)}  ${oneLine(says)}`)
    .join('\n');
}

async function lookAtHost(caller: Caller): Promise<readonly Finding[]> {
  const home = shownHome(caller);
  const note = readNote(homeOf(caller));
  try {
    const client = await answeringHost(caller);
    if (!client) return [note && isAlive(note) ? silent(home, note) : none(home)];
    const { version, startedAt } = await client.health();
    await client.list({ limit: 1 });
    return [
      {
        check: 'host',
        verdict: 'ok',
        says: `Runs at ${client.url} since ${startedAt}, and reads its store. Its page opens by a link: rouse open`,
      },
      version === caller.version
        ? { check: 'version', verdict: 'ok', says: `The host and this program are ${version}.` }
        : {
            check: 'version',
            verdict: 'warn',
            says: `The host is ${version}, this program is ${caller.version}: restart the host. Processes go on meanwhile.`,
          },
    ];
  } catch (error) {
    return [{ check: 'host', verdict: 'fail', says: explain(error, caller) }];
  }
}

const none = (home: string): Finding => ({
  check: 'host',
  verdict: 'ok',
  says: `None runs for ${home}. "rouse run" starts one, and so does "rouse serve".`,
});

const silent = (home: string, { pid, url }: HostNote): Finding => ({
  check: 'host',
  verdict: 'fail',
  says: `Process ${pid} holds ${home} and does not answer at ${url}. End it (kill -9 ${pid}) and start another: rouse serve. Processes go on meanwhile.`,
});
