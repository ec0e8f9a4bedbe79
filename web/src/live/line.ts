/**
 * The one line to the host, which all tabs share. The client reconnects and resumes; here is what a page adds:
 *
 *   connecting ──answered──▶ open ──cut──▶ waiting ──after a while, or hurried──▶ connecting
 *        └──── not signed in ──▶ signedOut ──hurried──▶ connecting
 *
 *   1. Someone who looks at the page, or has just signed in, does not wait for the pause to end.
 *   2. Far behind, the line restarts at the head: what is shown is then read again, which is less than everything in
 *      between.
 */
import { RouseClient, RouseProblem, type HostEvent } from 'rouse/client/client';

export type LineState =
  | { readonly kind: 'connecting' }
  /** `behind` counts numbers that the host has and this browser not yet. */
  | { readonly kind: 'open'; readonly behind: number }
  | { readonly kind: 'waiting'; readonly until: number }
  | { readonly kind: 'signedOut' };

/** The host's own events, that the line was cut, or that it restarted and everything must be read again. */
export type LineEvent = HostEvent | { readonly kind: 'cut' } | { readonly kind: 'restarted' };

export type Heard = {
  readonly state: (state: LineState) => void;
  readonly event: (event: LineEvent) => void;
};

const FAR_BEHIND = 5_000;
/** After an answer that makes no sense: the host may be replaced by one that does. */
const FAULT_PAUSE_MS = 15_000;

export class Line {
  readonly #client: RouseClient;
  #state: LineState = { kind: 'connecting' };
  #seq: number | undefined;
  #head = 0;
  #connected: Promise<never> | undefined;
  #hurry: (() => void) | undefined;

  constructor(
    origin: string,
    key: () => string | undefined,
    readonly heard: Heard,
  ) {
    this.#client = new RouseClient(origin, undefined, { key, pause: (ms) => this.#pause(ms) });
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
    this.#hurry?.();
  }

  async #stayConnected(): Promise<never> {
    for (;;) {
      this.#become({ kind: 'connecting' });
      try {
        await this.#listen();
        this.heard.event({ kind: 'cut' });
      } catch (error) {
        this.heard.event({ kind: 'cut' });
        if (error instanceof RouseProblem && error.problem.status === 401) await this.#signIn();
        else await this.#pause(FAULT_PAUSE_MS);
      }
    }
  }

  /** Returns when the line has to restart. */
  async #listen(): Promise<void> {
    const after = this.#seq;
    for await (const event of this.#client.events(after === undefined ? {} : { after })) {
      if (event.kind === 'heartbeat' && this.#isFar(event)) {
        this.#seq = undefined;
        return this.heard.event({ kind: 'restarted' });
      }
      this.#follow(event);
      this.heard.event(event);
    }
  }

  #isFar = ({ seq, head }: { seq: number; head: number }): boolean =>
    this.#state.kind !== 'open' && head - seq > FAR_BEHIND;

  #follow(event: HostEvent): void {
    if (event.kind === 'reset') this.#seq = event.head;
    if (event.kind === 'heartbeat' || event.kind === 'entry' || event.kind === 'notice') this.#seq = event.seq;
    if (event.kind === 'heartbeat') this.#head = event.head;
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

  async #pause(ms: number): Promise<void> {
    this.#become({ kind: 'waiting', until: Date.now() + ms });
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#become({ kind: 'connecting' });
  }

  #become(state: LineState): void {
    this.#state = state;
    this.heard.state(state);
  }
}
