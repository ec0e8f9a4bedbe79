/**
 * A screen on paper: what was printed cannot be taken back.
 *
 *   1. Every entry is printed once.
 *   2. On a terminal words are printed as they come; the entry that they become prints only what is missing of it.
 *   3. Into a file or a pipe go entries alone.
 */
import { entriesAfter, shownWords, type Screen } from '../../client/screen.js';
import type { EntryView } from '../../contract/journal.js';
import type { QuestionView } from '../../contract/message.js';
import type { Caller } from '../caller.js';
import { saidIn, type Said } from './journal-words.js';
import { prose } from './printable.js';
import { coloursOf, fit, pad } from './table.js';

const TONES = {
  person: 'cyan',
  agent: 'green',
  cause: 'yellow',
  question: 'magenta',
  trouble: 'red',
  dim: 'dim',
} as const;

const WHO_COLUMNS = 8;
const INDENT = ' '.repeat('HH:MM:SS'.length + 1 + WHO_COLUMNS + 1);

export class JournalPrinter {
  #seq = 0;
  /** Words of a step that stand on the last line, as they were printed. */
  #words = '';

  constructor(readonly caller: Caller) {}

  /** `asked` are the questions that wait. */
  show(screen: Screen, asked: readonly QuestionView[] = []): void {
    for (const entry of entriesAfter(screen, this.#seq)) this.#print(entry, asked);
    this.#seq = screen.seq;
    if (this.caller.stdout.isTTY) this.#goOn(whole(shownWords(screen)?.text ?? ''));
  }

  #print(entry: EntryView, asked: readonly QuestionView[]): void {
    const said = saidIn(entry, asked);
    if (!said) return;
    const begun = this.#words;
    this.#words = '';
    if (begun !== '' && entry.kind === 'text' && said.text.startsWith(begun))
      return this.#put(`${lines(said.text.slice(begun.length))}\n`);
    this.#put(`${begun === '' ? '' : '\n'}${this.#head(said, entry.at)}${this.#body(said)}\n`);
  }

  /** What came of the words since; when they are void, or of another step, on a new line. */
  #goOn(words: string): void {
    if (words === this.#words) return;
    const goesOn = this.#words !== '' && words.startsWith(this.#words);
    if (this.#words !== '' && !goesOn) this.#put('\n');
    if (!goesOn && words !== '') this.#put(this.#head({ who: 'agent', tone: 'agent' }, new Date().toISOString()));
    this.#put(lines(goesOn ? words.slice(this.#words.length) : words));
    this.#words = words;
  }

  #head({ who, tone }: Omit<Said, 'text'>, at: string): string {
    const colours = coloursOf(this.caller);
    const time = new Date(at).toTimeString().slice(0, 'HH:MM:SS'.length);
    return `${colours.dim(time)} ${colours[TONES[tone]](pad(fit(who, WHO_COLUMNS), WHO_COLUMNS))} `;
  }

  #body({ text, tone }: Said): string {
    return tone === 'dim' ? coloursOf(this.caller).dim(lines(text)) : lines(text);
  }

  #put(text: string): void {
    this.caller.stdout.write(text);
  }
}

const lines = (text: string): string => text.replaceAll('\n', `\n${INDENT}`);

/** Without a character that has come only by half. */
const whole = (words: string): string => prose(words.replace(/[\ud800-\udbff]$/, ''));
