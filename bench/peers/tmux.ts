/** tmux: one window a command, spoken to in control mode, which also tells when a window closes. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { nowMs, type Peer } from '../peer.js';
import { gone, onPath } from '../programs.js';
import { Arrivals } from '../wait.js';

export const tmux: Peer = {
  name: 'tmux',
  installed: () => onPath('tmux'),
  async open({ folder, commands }) {
    const client = spawn('tmux', ['-S', join(folder, 'socket'), '-f', '/dev/null', '-C', 'new-session', 'exec cat'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, TERM: 'xterm' },
    });
    const ended = new Arrivals<string, number>();
    const talk = new Talk((line) => client.stdin.write(line));
    createInterface(client.stdout).on('line', (line) => {
      const [, window] = /^%(?:unlinked-)?window-close (@\d+)/.exec(line) ?? [];
      if (window) ended.arrive(window, nowMs());
      else talk.hear(line);
    });
    await talk.begun;
    // What the windows print is captured, not sent to us.
    await talk.ask('refresh-client -f no-output');
    const windows = new Map<number, string>();
    const server = Number(await talk.ask('display-message -p "#{pid}"'));
    return {
      start: async (index) => {
        const window = await talk.ask(
          `new-window -d -P -F "#{window_id}" "${commands[index]?.replaceAll('$', '\\$')}"`,
        );
        windows.set(index, window);
      },
      ended: (index) => ended.of(windows.get(index) ?? ''),
      keepers: async () => [server],
      captured: async (index) => {
        const file = join(folder, `output-${index}`);
        await talk.ask(`pipe-pane -t ${windows.get(index)} "exec cat > ${file}"`);
        return [file];
      },
      close: async () => {
        client.stdin.write('kill-server\n');
        await gone(client);
      },
    };
  },
};

/** Answers come in the order of the questions, each between %begin and %end. */
class Talk {
  readonly begun: Promise<string>;
  readonly #waiting: ((answer: string) => void)[] = [];
  #answer: string[] | undefined;

  constructor(readonly say: (line: string) => void) {
    this.begun = new Promise((resolve) => this.#waiting.push(resolve));
  }

  ask(line: string): Promise<string> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.say(`${line}\n`);
    });
  }

  hear(line: string): void {
    if (line.startsWith('%begin ')) this.#answer = [];
    else if (line.startsWith('%end ') || line.startsWith('%error ')) {
      this.#waiting.shift()?.((this.#answer ?? []).join('\n'));
      this.#answer = undefined;
    } else this.#answer?.push(line);
  }
}
