/** The caller's own terminal while a process has it: raw, and in every case given back as it was. */
import { spawnSync } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { put, type Caller } from '../caller.js';
import { Modes } from '../print/terminal-codes.js';

export class RawTerminal {
  readonly #modes = new Modes();
  readonly #give = () => this.#giveBack();
  #taken = true;

  constructor(readonly caller: Pick<Caller, 'stdin' | 'stdout' | 'stderr'>) {
    caller.stdin.setRawMode(true);
    // Node leaves the translation of newlines on, which draws full-screen programs askew.
    spawnSync('stty', ['-opost'], { stdio: ['inherit', 'ignore', 'ignore'] });
    process.on('exit', this.#give);
  }

  onKeys(typed: (text: string) => void): void {
    const decoder = new StringDecoder('utf8');
    this.caller.stdin.on('data', (chunk: Buffer) => typed(decoder.write(chunk)));
  }

  /** Becomes what the output so far had made of the process's own terminal, without showing it. */
  async become(history: Buffer): Promise<void> {
    this.#modes.see(history);
    await put(this.caller.stdout, this.#modes.redo());
  }

  async put(bytes: Buffer): Promise<void> {
    this.#modes.see(bytes);
    await put(this.caller.stdout, bytes);
  }

  /** On a line of its own, beside what the process writes. */
  say(sentence: string): void {
    this.caller.stderr.write(`\r\n[${sentence}]\r\n`);
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#give);
    this.#giveBack();
  }

  #giveBack(): void {
    if (!this.#taken) return;
    this.#taken = false;
    this.caller.stdout.write(this.#modes.undo());
    this.caller.stdin.setRawMode(false);
    this.caller.stdin.destroy();
  }
}
