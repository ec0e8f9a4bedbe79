/**
 * The one line to the host: connects, goes on after the last number, and notices when the other side is dead.
 *
 *   connecting ──answered──▶ open ──cut, or silent for too long──▶ waiting ──after a while──▶ connecting
 *        └──── not signed in ──▶ signedOut ──told to connect──▶ connecting
 *
 *   1. There is no last attempt. The pauses grow to 15 s, with dice, so that many browsers do not come back at once.
 *   2. The host says something at once, and then every 10 s. Whoever hears nothing for 6 s at the beginning, or for 20 s
 *      later, is talking to nobody, and connects anew.
 *   3. Far behind, the line begins anew at the head: whoever shows something then reads it again, which is less than
 *      everything in between.
 */
import { RouseClient, RouseProblem, type HostEvent } from 'rouse/client/client';

export type LineState =
  | { readonly kind: 'connecting' }
  /** `behind` counts numbers that the host has and this browser not yet. */
  | { readonly kind: 'open'; readonly behind: number }
  | { readonly kind: 'waiting'; readonly until: number }
  | { readonly kind: 'signedOut' };

/** What a line tells: the host's own events, that it was cut, or that it begins anew and everything must be read again. */
export type LineEvent = HostEvent | { readonly kind: 'cut' } | { readonly kind: 'anew' };

export type Heard = {
  readonly state: (state: LineState) => void;
  readonly event: (event: LineEvent) => void;
};

const FIRST_WORD_MS = 6_000;
const SILENCE_MS = 20_000;
const LONGEST_PAUSE_MS = 15_000;
const FAR_BEHIND = 5_000;

export class Line {
  readonly #client: RouseClient;
  #state: LineState = { kind: 'connecting' };
  #seq: number | undefined;
  #head = 0;
  #failures = 0;
  #connected: Promise<never> | undefined;
  #hurry: (() => void) | undefined;

  constructor(
    origin: string,
    key: () => string | undefined,
    readonly heard: Heard,
  ) {
    this.#client = new RouseClient(origin, undefined, { key });
  }

  /** Connects for the first time; called again it does nothing. */
  begin(): void {
    this.#connected ??= this.#stayConnected();
  }

  get state(): LineState {
    return this.#state;
  }

  /** Everything up to here was told. */
  get seq(): number {
    return this.#seq ?? 0;
  }

  /** Tries at once instead of after the pause: somebody looks, or has signed in. */
  hurry(): void {
    this.#failures = 0;
    this.#hurry?.();
  }

  async #stayConnected(): Promise<never> {
    for (;;) {
      this.#become({ kind: 'connecting' });
      const why = await this.#listen().catch((error: unknown) => error);
      this.heard.event({ kind: 'cut' });
      if (why instanceof RouseProblem && why.problem.status === 401) await this.#signIn();
      else await this.#pause();
    }
  }

  async #listen(): Promise<void> {
    const silence = new Silence(FIRST_WORD_MS);
    const after = this.#seq;
    try {
      for await (const event of this.#client.events({
        ...(after !== undefined && { after }),
        signal: silence.signal,
      })) {
        silence.broken(SILENCE_MS);
        if (event.kind === 'heartbeat' && this.#isFar(event)) {
          this.#seq = undefined;
          return this.heard.event({ kind: 'anew' });
        }
        this.#follow(event);
        this.heard.event(event);
      }
    } finally {
      silence.over();
    }
  }

  #isFar = ({ seq, head }: { seq: number; head: number }): boolean =>
    this.#state.kind !== 'open' && head - seq > FAR_BEHIND;

  #follow(event: HostEvent): void {
    if (event.kind === 'reset') this.#seq = event.head;
    if (event.kind === 'heartbeat' || event.kind === 'entry' || event.kind === 'notice') this.#seq = event.seq;
    if (event.kind === 'heartbeat') {
      this.#failures = 0;
      this.#head = event.head;
    }
    if (event.kind === 'heartbeat' || this.#isBehind()) this.#sayHowFar();
  }

  #isBehind = (): boolean => this.#state.kind === 'open' && this.#state.behind > 0;

  #sayHowFar(): void {
    const behind = Math.max(0, this.#head - (this.#seq ?? 0));
    if (this.#state.kind !== 'open' || this.#state.behind !== behind) this.#become({ kind: 'open', behind });
  }

  async #signIn(): Promise<void> {
    this.#become({ kind: 'signedOut' });
    await new Promise<void>((hurry) => (this.#hurry = hurry));
  }

  async #pause(): Promise<void> {
    const longest = Math.min(LONGEST_PAUSE_MS, 250 * 2 ** this.#failures++);
    const pauseMs = longest / 2 + (Math.random() * longest) / 2;
    this.#become({ kind: 'waiting', until: Date.now() + pauseMs });
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #become(state: LineState): void {
    this.#state = state;
    this.heard.state(state);
  }
}

/** Aborts when nothing was heard for so long. */
class Silence {
  readonly #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout>;

  constructor(ms: number) {
    this.#timer = this.#begin(ms);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** And may last so long from here. */
  broken(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = this.#begin(ms);
  }

  over(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  #begin = (ms: number) =>
    setTimeout(() => this.#abort.abort(new Error('The host has not said anything for too long.')), ms);
}
