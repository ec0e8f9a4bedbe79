/**
 * supervisord, over its XML-RPC. Ends are asked for as fast as it answers: its event listeners hear of them at the
 * next turn of its loop, which may be a second later.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { nowMs, type Field, type Peer, type Stage } from '../peer.js';
import { daemon, gone, onPath } from '../programs.js';
import { Arrivals, until } from '../wait.js';

export const supervisord: Peer = {
  name: 'supervisord',
  installed: () => onPath('supervisord'),
  async open(stage) {
    const { folder } = stage;
    writeFileSync(join(folder, 'supervisord.conf'), configuration(stage));
    const supervisor = daemon('supervisord', ['-n', '-c', join(folder, 'supervisord.conf')]);
    const socket = join(folder, 'socket');
    await until('supervisord', () => existsSync(socket));
    const agent = new Agent({ keepAlive: true });
    const ask = (method: string, ...parameters: readonly string[]) => rpc(agent, socket, method, parameters);
    await until('supervisord to answer', () => ask('supervisor.getState').then(Boolean, () => false));
    const ends = new Ends(ask);
    const field: Field = {
      start: async (index) => void (await ask('supervisor.startProcess', `p${index}`)),
      ended: (index) => ends.of(index),
      keepers: async () => [supervisor.pid ?? 0],
      captured: async (index) => [join(folder, `output-${index}`)],
      close: async () => {
        await ask('supervisor.shutdown');
        agent.destroy();
        await gone(supervisor);
      },
    };
    return field;
  },
};

const configuration = ({ folder, commands }: Stage): string => `
[supervisord]
logfile=/dev/null
logfile_maxbytes=0
pidfile=${folder}/pid
childlogdir=${folder}
minfds=4096
[unix_http_server]
file=${folder}/socket
[rpcinterface:supervisor]
supervisor.rpcinterface_factory = supervisor.rpcinterface:make_main_rpcinterface
${commands.map((command, index) => programSection(folder, command, index)).join('\n')}
`;

function programSection(folder: string, command: string, index: number): string {
  const script = join(folder, `command-${index}`);
  writeFileSync(script, command);
  return `[program:p${index}]
command=bash ${script}
autostart=false
autorestart=false
startsecs=0
stdout_logfile=${folder}/output-${index}
stdout_logfile_maxbytes=0
stderr_logfile=NONE`;
}

type Ask = (method: string, ...parameters: readonly string[]) => Promise<string>;

/** Asks for as long as there is somebody whose end is waited for. */
class Ends {
  readonly #ended = new Arrivals<number, number>();
  readonly #waiting = new Set<number>();
  #asking = false;

  constructor(readonly ask: Ask) {}

  of(index: number): Promise<number> {
    this.#waiting.add(index);
    if (!this.#asking) void this.#askOn();
    return this.#ended.of(index);
  }

  async #askOn(): Promise<void> {
    this.#asking = true;
    while (this.#waiting.size > 0) {
      const [only] = this.#waiting;
      const answer =
        this.#waiting.size === 1
          ? await this.ask('supervisor.getProcessInfo', `p${only}`)
          : await this.ask('supervisor.getAllProcessInfo');
      const at = nowMs();
      for (const index of exitedIn(answer)) if (this.#waiting.delete(index)) this.#ended.arrive(index, at);
    }
    this.#asking = false;
  }
}

/** One struct a process, with its name and, in words, its state. */
const exitedIn = (answer: string): number[] =>
  answer.split('<struct>').flatMap((struct) => {
    const [, name] = /<name>name<\/name>\s*<value><string>p(\d+)</.exec(struct) ?? [];
    return name && />EXITED</.test(struct) ? [Number(name)] : [];
  });

/** The last parameter of `startProcess` is whether to wait until it has proved itself. */
function rpc(agent: Agent, socketPath: string, method: string, parameters: readonly string[]): Promise<string> {
  const values = parameters.map((text) => `<param><value><string>${text}</string></value></param>`);
  if (method === 'supervisor.startProcess') values.push('<param><value><boolean>0</boolean></value></param>');
  const body = `<?xml version="1.0"?><methodCall><methodName>${method}</methodName><params>${values.join('')}</params></methodCall>`;
  const headers = { 'content-type': 'text/xml', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const asked = request({ agent, socketPath, path: '/RPC2', method: 'POST', headers }, (response) => {
      let answer = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
      response.on('end', () => (answer.includes('<fault>') ? reject(new Error(answer)) : resolve(answer)));
    });
    asked.on('error', reject).end(body);
  });
}
