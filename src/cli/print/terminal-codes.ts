/** What a program tells a terminal to be, and what it asks it. */

/** Modes that outlive the program that set them: screens, mice, pastes, cursor keys. 25 is the cursor, on by nature. */
const LASTING = new Set([
  '1',
  '9',
  '47',
  '1000',
  '1002',
  '1003',
  '1004',
  '1005',
  '1006',
  '1015',
  '1047',
  '1049',
  '2004',
]);
const CURSOR = '25';

const SETTING = /\u001b\[\?([0-9;]+)([hl])/g; // oxlint-disable-line no-control-regex -- this is about them

/** Keeps book of the modes that the output turns on. */
export class Modes {
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
