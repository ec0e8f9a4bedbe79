/** A terminal on the page, loaded when the first output is shown. */
import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Terminal as Xterm, type IMarker } from '@xterm/xterm';
import { keyHandler } from './terminal-keys';
import { answerOnlyWhen } from './terminal-questions';
import { themeOf } from './terminal-theme';

export type TerminalParts = {
  readonly element: HTMLElement;
  readonly label: string;
  /** Whether keys go to a process. */
  readonly pty: boolean;
  readonly typed: (keys: string) => void;
  readonly resized: (rows: number, cols: number) => void;
  /** The person leaves the terminal. */
  readonly leave: () => void;
};

const SCROLLBACK_LINES = 20_000;
const AHEAD_CHARACTERS = 524_288;

export class Terminal {
  readonly #xterm: Xterm;
  readonly #fit = new FitAddon();
  readonly #search = new SearchAddon({ highlightLimit: 500 });
  readonly #over = new AbortController();
  #waiting = 0;
  /** False while old output is written. */
  isLive = false;

  constructor(readonly parts: TerminalParts) {
    const { element, label, pty, typed, resized, leave } = parts;
    this.#xterm = new Xterm({
      allowProposedApi: true,
      convertEol: !pty,
      disableStdin: !pty,
      cursorBlink: pty && !matchMedia('(prefers-reduced-motion: reduce)').matches,
      cursorInactiveStyle: pty ? 'outline' : 'none',
      fontFamily: getComputedStyle(element).fontFamily,
      fontSize: 12.5,
      lineHeight: 1.2,
      logLevel: 'off',
      minimumContrastRatio: 4.5,
      scrollback: SCROLLBACK_LINES,
      theme: themeOf(element),
    });
    this.#xterm.loadAddon(this.#fit);
    this.#xterm.loadAddon(this.#search);
    this.#xterm.open(element);
    this.#xterm.textarea?.setAttribute('aria-label', label);
    // Ignore hyperlinks of a program: they could lead anywhere, and an unclosed one would cover all output.
    this.#xterm.parser.registerOscHandler(8, () => true);
    answerOnlyWhen(this.#xterm.parser, () => this.isLive && this.hasFocus);
    this.#xterm.attachCustomKeyEventHandler(keyHandler(this.#xterm, { pty, leave }));
    this.#xterm.onData(typed);
    this.#xterm.onResize(({ rows, cols }) => resized(rows, cols));
    this.#keepFitting(element);
    this.#keepTheme(element);
  }

  get hasFocus(): boolean {
    return document.hasFocus() && document.activeElement === this.#xterm.textarea;
  }

  get size(): { readonly rows: number; readonly cols: number } {
    return { rows: this.#xterm.rows, cols: this.#xterm.cols };
  }

  focus(): void {
    this.#xterm.focus();
  }

  /** Resolves at once while little is buffered, otherwise when it is drawn, to slow down a fast writer. */
  async write(text: string): Promise<void> {
    this.#waiting += text.length;
    this.#xterm.write(text, () => (this.#waiting -= text.length));
    if (this.#waiting > AHEAD_CHARACTERS) await this.drawn();
  }

  /** Resolves when everything written so far is drawn. */
  drawn(): Promise<void> {
    return new Promise((resolve) => this.#xterm.write('', resolve));
  }

  clear(): void {
    this.#search.clearDecorations();
    this.#xterm.reset();
    // Hide the cursor where typing is impossible.
    if (!this.parts.pty) this.#xterm.write('\x1b[?25l');
  }

  /** The position of the next character. */
  mark(): IMarker {
    return this.#xterm.registerMarker(0);
  }

  top(): void {
    this.#xterm.scrollToTop();
  }

  /** Scrolls to the line and highlights the text everywhere. */
  show({ line }: IMarker, text: string): void {
    this.#xterm.scrollToLine(Math.max(0, line - Math.floor(this.#xterm.rows / 3)));
    this.#xterm.select(0, line, 1);
    const theme = this.#xterm.options.theme ?? {};
    this.#search.findNext(text, {
      incremental: true,
      decorations: {
        matchBorder: theme.yellow ?? '',
        matchOverviewRuler: theme.yellow ?? '',
        activeMatchBackground: theme.selectionBackground ?? '',
        activeMatchColorOverviewRuler: theme.cursor ?? '',
      },
    });
  }

  dispose(): void {
    this.#over.abort();
    this.#xterm.dispose();
  }

  #keepFitting(element: HTMLElement): void {
    const fit = (): void => void (element.clientHeight > 0 && this.#fit.fit());
    const observer = new ResizeObserver(() => requestAnimationFrame(() => this.#over.signal.aborted || fit()));
    observer.observe(element);
    this.#over.signal.addEventListener('abort', () => observer.disconnect());
    fit();
  }

  #keepTheme(element: HTMLElement): void {
    const change = (): void => void (this.#xterm.options.theme = themeOf(element));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', change, { signal: this.#over.signal });
  }
}
