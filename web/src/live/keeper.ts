/** Holds the event stream for one tab or many: forwards events, and remembers the text of running steps. */
import type { LiveEvent } from 'rouse/contract/event';
import type { SessionId, TurnId } from 'rouse/contract/ids';
import type { ToKeeper, ToTab } from './exchange';
import { Line, type LineEvent } from './line';

export type Tab = { readonly tell: (news: ToTab) => void };

type Words = { readonly turn: TurnId; readonly text: string; readonly reasoning: string };

export class Keeper {
  readonly #tabs = new Set<Tab>();
  readonly #words = new Map<SessionId, Words>();
  readonly #line: Line;
  #key: string | undefined;

  constructor(origin: string) {
    this.#line = new Line(origin, () => this.#key, {
      state: (state) => this.#tellAll({ kind: 'state', state }),
      event: (event) => {
        this.#remember(event);
        this.#tellAll({ kind: 'event', event });
      },
    });
  }

  join(tab: Tab, key: string | undefined): void {
    this.#tabs.add(tab);
    // A tab that has just signed in brings the key that a refused stream waits for.
    if (key !== this.#key) this.#connectWith(key);
    this.#line.begin();
    tab.tell({ kind: 'state', state: this.#line.state });
  }

  leave(tab: Tab): void {
    this.#tabs.delete(tab);
  }

  asked(tab: Tab, question: ToKeeper): void {
    if (question.kind === 'hurry') this.#connectWith(question.key);
    if (question.kind !== 'follow') return;
    const { session } = question;
    tab.tell({ kind: 'followed', session, words: this.#soFar(session), seq: this.#line.seq });
  }

  #connectWith(key: string | undefined): void {
    this.#key = key;
    this.#line.hurry();
  }

  tellAlive(): void {
    this.#tellAll({ kind: 'alive' });
  }

  #tellAll(news: ToTab): void {
    for (const tab of this.#tabs) tab.tell(news);
  }

  #remember(event: LineEvent): void {
    if (event.kind === 'cut') this.#words.clear();
    if (event.kind !== 'live') return;
    const said = event.event;
    const { session, turn } = said;
    if (said.kind === 'cleared') this.#words.delete(session);
    if (said.kind === 'words') this.#words.set(session, said);
    if (said.kind !== 'delta') return;
    const known = this.#words.get(session);
    const words = known?.turn === turn ? known : { turn, text: '', reasoning: '' };
    this.#words.set(session, { ...words, [said.of]: words[said.of] + said.text });
  }

  #soFar(session: SessionId): readonly LiveEvent[] {
    const words = this.#words.get(session);
    return words ? [{ ...words, session, kind: 'words' }] : [];
  }
}
