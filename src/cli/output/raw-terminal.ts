/** The caller's own terminal while a process has it: raw, and always restored. */
import { spawnSync } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { put, type Caller } from '../caller.js';

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

  /** On a line of its own, between what the process writes. */
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

/** Modes that outlive the program that set them: screens, mice, pastes, cursor keys. 25 is the cursor, on by nature. */
const LASTING = new Set('1 9 47 1000 1002 1003 1004 1005 1006 1015 1047 1049 2004'.split(' '));
const CURSOR = '25';

const SETTING = /\u001b\[\?([0-9;]+)([hl])/g; // oxlint-disable-line no-control-regex -- this is about them

/** Tracks the modes that the output turns on. */
class Modes {
  readonly #on = new Set<string>();
  #cursorHidden = false;
  #edge = '';

  see(bytes: Buffer): void {
    const text = this.#edge + bytes.toString('latin1');
    for (const [, modes = '', way] of text.matchAll(SETTING))
      for (const mode of modes.split(';')) this.#set(mode, way === 'h');
    this.#edge = text.slice(-32).replace(SETTING, '');
  }

  /** What makes another terminal what this one is. */
  redo(): string {
    const on = [...this.#on].map((mode) => `\u001b[?${mode}h`).join('');
    return `${on}${this.#cursorHidden ? `\u001b[?${CURSOR}l` : ''}`;
  }

  /** What brings the terminal back to what it was, colours included. */
  undo(): string {
    const off = [...this.#on].map((mode) => `\u001b[?${mode}l`).join('');
    return `\u001b[0m${off}${this.#cursorHidden ? `\u001b[?${CURSOR}h` : ''}`;
  }

  #set(mode: string, on: boolean): void {
    if (mode === CURSOR) this.#cursorHidden = !on;
    else if (!on) this.#on.delete(mode);
    else if (LASTING.has(mode)) this.#on.add(mode);
  }
}

const QUESTIONS = new RegExp(
  [
    '\\u001b\\[[?>=]?[0-9;]*c', // what are you?
    '\\u001b\\[\\??[0-9;]*n', // where is the cursor, how are you?
    '\\u001b\\[[?>]?[0-9;]*\\$p', // is this mode on?
    '\\u001b\\[>[0-9]*q', // which version?
    '\\u001b\\[\\?u', // which keyboard?
    '\\u001b\\[(?:1[1-9]|2[01])t', // how large, which title?
    '\\u001b\\][^\\u0007\\u001b]*\\?(?:\\u0007|\\u001b\\\\)', // which colour, what is in the clipboard?
    '\\u001bP[+$]q[^\\u001b]*\\u001b\\\\', // which capability, which setting?
    '\\u001bZ|\\u0005', // who are you?
  ].join('|'),
  'g',
);

export const withoutQuestions = (text: string): string => text.replace(QUESTIONS, '');
