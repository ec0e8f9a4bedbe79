/** The typed client: every route of the contract as a method, and streams that resume. Works in Node and in a browser. */
import type { z } from 'zod';
import type { EntryView } from '../contract/journal.js';
import type { QuestionView } from '../contract/message.js';
import type { NoticeView } from '../contract/notice.js';
import { PAGE_BYTES, RAW_PAGE_BYTES, type OutputPage } from '../contract/output.js';
import type { ProcessView } from '../contract/process.js';
import type { BodyOf, QueryOf } from '../contract/route.js';
import { host, notice, output, people, process, session } from '../contract/routes.js';
import type { SessionView } from '../contract/session.js';
import { Outage, persist, resumed, type Cut, type RetryOptions } from './resume.js';
import { hostEvent, outputEvent, streamEvents, type HostEvent, type OutputEvent } from './stream.js';
import { HostUnreachable, Transport, type Address } from './transport.js';

export { isCut, type Cut } from './resume.js';
export type { HostEvent, OutputEvent } from './stream.js';
export { HostUnreachable, RouseProblem, type Address } from './transport.js';

export type Bytes = {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly size: number;
  readonly released: number;
};

type Answer<Called extends { readonly answer: z.ZodType }> = Promise<z.output<Called['answer']>>;

const WAIT_STEP_MS = 60_000;
const RAW = output.page.produces;
const STREAM_ENDED = 'The host ended the stream.';

/** What is optional of a client. */
type Options = RetryOptions & {
  /** In a browser: the key with which it signed in, asked for at every request. */
  readonly key?: () => string | undefined;
  /** The id of the process that this runs in, if Rouse started it (`ROUSE_PROCESS`): the host then lets it do less. */
  readonly process?: string | undefined;
  /** Finds the host again after a cut, where it may come back at another address. */
  readonly locate?: () => Address;
};

export class RouseClient {
  readonly #host: Transport;
  readonly #outage: Outage;

  /** A browser that is signed in needs no token. */
  constructor(url: string, token?: string, { key = () => undefined, process, locate, ...retry }: Options = {}) {
    this.#host = new Transport({ url, token }, { key, process, locate });
    const onCut = (cut: Cut): void => {
      this.#host.lost();
      retry.onCut?.(cut);
    };
    this.#outage = new Outage({ ...retry, onCut });
  }

  get url(): string {
    return this.#host.url;
  }

  /**
   * Repeats a request until a host answers it; only for what may be done twice, or after errors that say that nothing was
   * done.
   */
  persist<Answer>(
    request: () => Promise<Answer>,
    options: { signal?: AbortSignal | undefined; mayRepeat?: (error: unknown) => boolean } = {},
  ): Promise<Answer> {
    return persist(request, { ...options, outage: this.#outage });
  }

  readonly start = (request: BodyOf<typeof process.start>): Answer<typeof process.start> =>
    this.#host.call(process.start, {}, { body: request });

  readonly list = async (filter: QueryOf<typeof process.list> = {}): Promise<readonly ProcessView[]> =>
    (await this.#host.call(process.list, {}, { query: filter })).processes;

  /** What running processes use now; two looks make a rate. */
  readonly usage = (): Answer<typeof process.usage> => this.#host.call(process.usage, {});

  readonly process = (id: string, query: QueryOf<typeof process.show> = {}): Answer<typeof process.show> =>
    this.#host.call(process.show, { id }, { query });

  /** In steps, because no request should be left without an answer for minutes. */
  async wait(
    id: string,
    timeoutMs: number,
    { session, signal }: { session?: string | undefined; signal?: AbortSignal | undefined } = {},
  ): Answer<typeof process.wait> {
    for (let leftMs = timeoutMs; ; leftMs -= WAIT_STEP_MS) {
      const body = { timeoutMs: Math.min(leftMs, WAIT_STEP_MS), session };
      const answer = await this.#host.call(process.wait, { id }, { body, signal });
      if (answer.outcome === 'ended' || leftMs <= WAIT_STEP_MS) return answer;
    }
  }

  readonly kill = (
    id: string,
    signal?: string,
    { session }: { session?: string | undefined } = {},
  ): Answer<typeof process.kill> => this.#host.call(process.kill, { id }, { body: { signal, session } });

  /** For the session that owns the process: an end that this shows is consumed. */
  readonly poll = (
    id: string,
    session: string,
    { tail }: QueryOf<typeof process.show> = {},
  ): Answer<typeof process.poll> => this.#host.call(process.poll, { id }, { body: { session, tail } });

  /** The same for a page of its output that reaches the end. */
  readonly log = (id: string, session: string, query: QueryOf<typeof output.page> = {}): Answer<typeof process.log> =>
    this.#host.call(process.log, { id }, { body: { session, query } });

  readonly write = (id: string, data: string, { submit = false } = {}): Answer<typeof process.input> =>
    this.#host.call(process.input, { id }, { body: { data, submit } });

  readonly closeInput = (id: string): Answer<typeof process.closeInput> => this.#host.call(process.closeInput, { id });

  readonly resize = (id: string, rows: number, cols: number): Answer<typeof process.resize> =>
    this.#host.call(process.resize, { id }, { body: { rows, cols } });

  readonly output = (id: string, query: QueryOf<typeof output.page> = {}): Answer<typeof output.page> =>
    this.#host.call(output.page, { id }, { query });

  /** Lines that hold these words, ignoring case. Bounded: continue from `next` and `nextLine` where they are given. */
  readonly searchOutput = (
    id: string,
    text: string,
    query: Omit<QueryOf<typeof output.search>, 'text'> = {},
  ): Answer<typeof output.search> => this.#host.call(output.search, { id }, { query: { ...query, text } });

  /** The bytes exactly as they were written. */
  async bytes(id: string, offset: number, limit: number): Promise<Bytes> {
    const response = await this.#host.open(output.page, { id }, { query: { offset, limit }, accept: RAW });
    const number = (name: string) => Number(response.headers.get(`rouse-${name}`));
    return {
      bytes: new Uint8Array(await response.arrayBuffer()),
      from: number('from'),
      to: number('to'),
      size: number('size'),
      released: number('released'),
    };
  }

  /** The text from an offset up to what there is now, page by page. For a session that owns the process as with `log`. */
  outputNow(
    id: string,
    { offset = 0, plain = false, session }: { offset?: number; plain?: boolean; session?: string | undefined } = {},
  ): AsyncGenerator<OutputPage> {
    return pages(offset, async (offset) => {
      const query = { offset, limit: PAGE_BYTES, plain };
      return session === undefined ? this.output(id, query) : (await this.log(id, session, query)).output;
    });
  }

  bytesNow(id: string, offset = 0): AsyncGenerator<Bytes> {
    return pages(offset, (offset) => this.bytes(id, offset, RAW_PAGE_BYTES));
  }

  /** The output as text, as it comes, up to the end of the process; across cuts. */
  follow(
    id: string,
    { offset = 0, plain = false, signal }: { offset?: number; plain?: boolean; signal?: AbortSignal } = {},
  ): AsyncGenerator<OutputEvent> {
    const transport = this.#host;
    let at = offset;
    async function* listen(signal: AbortSignal): AsyncGenerator<OutputEvent | undefined> {
      const asked = { query: { offset: at, plain }, accept: 'text/event-stream', signal };
      for await (const message of streamEvents(transport.chunks(output.follow, { id }, asked))) {
        const event = outputEvent(message);
        if (event?.kind === 'output') at = event.page.to;
        yield event;
        if (event?.kind === 'end' || event?.kind === 'refused') return;
      }
      throw new HostUnreachable(STREAM_ENDED);
    }
    return resumed(listen, { signal, outage: this.#outage });
  }

  /** The bytes as they come, up to the end of the process; across cuts. */
  followBytes(
    id: string,
    { offset = 0, signal }: { offset?: number; signal?: AbortSignal } = {},
  ): AsyncGenerator<({ readonly kind: 'bytes' } & Bytes) | Cut> {
    const { client, transport } = { client: this, transport: this.#host };
    let at = offset;
    async function* listen(signal: AbortSignal) {
      for (;;) {
        // Asked before reading: what is read after the end was seen is all there will be.
        const { process } = await client.process(id);
        for await (const page of client.bytesNow(id, at)) {
          at = page.to;
          yield { kind: 'bytes' as const, ...page };
        }
        if (process.state === 'ended') return;
        // Bytes alone cannot report a gap: the stream ends before it, and the next page has it.
        for await (const bytes of transport.chunks(
          output.follow,
          { id },
          { query: { offset: at }, accept: RAW, signal },
        )) {
          const from = at;
          at += bytes.length;
          yield { kind: 'bytes' as const, bytes, from, to: at, size: at, released: 0 };
        }
      }
    }
    return resumed(listen, { signal, outage: this.#outage, heartbeats: false });
  }

  /** The whole output as a file of text. Reading it fails when the host cannot send the rest. */
  download(id: string): Promise<Response> {
    return this.#host.open(output.download, { id }, { accept: 'text/plain' });
  }

  readonly createSession = (wanted: BodyOf<typeof session.create> = {}): Answer<typeof session.create> =>
    this.#host.call(session.create, {}, { body: wanted });

  readonly sessions = async (): Promise<readonly SessionView[]> => (await this.#host.call(session.list, {})).sessions;

  /** The session with its last entries; continue with `events` after `seq`. */
  readonly session = (id: string, query: QueryOf<typeof session.show> = {}): Answer<typeof session.show> =>
    this.#host.call(session.show, { id }, { query });

  readonly changeSession = (id: string, changes: BodyOf<typeof session.change>): Answer<typeof session.change> =>
    this.#host.call(session.change, { id }, { body: changes });

  /** Up to which number a person has seen the session; it only ever rises. */
  readonly seen = (id: string, seq: number): Answer<typeof session.seen> =>
    this.#host.call(session.seen, { id }, { body: { seq } });

  /** Entries after or before a number, oldest first. */
  readonly entries = async (id: string, query: QueryOf<typeof session.entries> = {}): Promise<readonly EntryView[]> =>
    (await this.#host.call(session.entries, { id }, { query })).entries;

  readonly send = (
    id: string,
    text: string,
    more: Omit<BodyOf<typeof session.send>, 'text'> = {},
  ): Answer<typeof session.send> => this.#host.call(session.send, { id }, { body: { ...more, text } });

  /** For a message that still waits for its turn. */
  readonly changeMessage = (
    id: string,
    message: string,
    changes: BodyOf<typeof session.changeMessage>,
  ): Answer<typeof session.changeMessage> => this.#host.call(session.changeMessage, { id, message }, { body: changes });

  readonly withdraw = (id: string, message: string): Answer<typeof session.withdraw> =>
    this.#host.call(session.withdraw, { id, message });

  /** Gives a file to a session; `file.path` is where its agent finds it. */
  readonly putFile = (
    id: string,
    name: string,
    bytes: Uint8Array<ArrayBuffer> | Blob,
  ): Answer<typeof session.putFile> => this.#host.call(session.putFile, { id, name }, { bytes });

  readonly stop = (id: string): Answer<typeof session.stop> => this.#host.call(session.stop, { id });

  /** Drops everything that was owed from before. */
  readonly reset = (id: string): Answer<typeof session.reset> => this.#host.call(session.reset, { id });

  /** Lifts a pause, and continues what a failed turn or a restart left unfinished. */
  readonly resumeWakes = (id: string): Answer<typeof session.resume> => this.#host.call(session.resume, { id });

  /** The questions that wait, exactly as they were asked. */
  readonly questions = async (id: string): Promise<readonly QuestionView[]> =>
    (await this.#host.call(session.questions, { id })).questions;

  readonly answer = (id: string, question: string, text: string): Answer<typeof session.answer> =>
    this.#host.call(session.answer, { id }, { body: { question, text } });

  readonly notify = (
    session: string,
    text: string,
    more: Omit<BodyOf<typeof notice.add>, 'text'> = {},
  ): Answer<typeof notice.add> => this.#host.call(notice.add, { id: session }, { body: { ...more, text } });

  readonly notices = async (filter: QueryOf<typeof notice.list> = {}): Promise<readonly NoticeView[]> =>
    (await this.#host.call(notice.list, {}, { query: filter })).notices;

  readonly notice = (id: string): Answer<typeof notice.show> => this.#host.call(notice.show, { id });

  readonly retry = (id: string): Answer<typeof notice.retry> => this.#host.call(notice.retry, { id });

  readonly dismiss = (id: string): Answer<typeof notice.dismiss> => this.#host.call(notice.dismiss, { id });

  /** What became of a notice, or of all notices of a process, in sentences. */
  readonly why = (id: string): Answer<typeof notice.why> => this.#host.call(notice.why, { id });

  /** What changes, as it changes; after a cut from the last number on. */
  events({
    session,
    after,
    signal,
  }: { session?: string | undefined; after?: number; signal?: AbortSignal } = {}): AsyncGenerator<HostEvent> {
    const transport = this.#host;
    let last = after;
    async function* listen(signal: AbortSignal): AsyncGenerator<HostEvent | undefined> {
      const asked = { query: { session, after: last }, accept: 'text/event-stream', signal };
      for await (const message of streamEvents(transport.chunks(host.events, {}, asked))) {
        const event = hostEvent(message);
        if (event?.kind === 'reset') last = event.head;
        else if (event && 'seq' in event) last = event.seq;
        yield event;
      }
      throw new HostUnreachable(STREAM_ENDED);
    }
    return resumed(listen, { signal, outage: this.#outage });
  }

  /** A link that signs a browser in, once. */
  readonly signInLink = (): Answer<typeof people.signInLink> => this.#host.call(people.signInLink, {});

  /** In a browser: from here on its cookie and this key, 32 random bytes as base64url, take the place of the token. */
  readonly signIn = (code: string, key: string): Answer<typeof people.signIn> =>
    this.#host.call(people.signIn, {}, { body: { code, key } });

  readonly signOut = ({ everywhere = false } = {}): Answer<typeof people.signOut> =>
    this.#host.call(people.signOut, {}, { body: { everywhere } });

  /** Fails with `no-token` or `signed-out` in a browser that is not signed in. */
  readonly me = (): Answer<typeof people.me> => this.#host.call(people.me, {});

  /** Whether this browser receives push messages. */
  readonly pushed = (): Answer<typeof people.pushed> => this.#host.call(people.pushed, {});

  readonly subscribe = (
    subscription: BodyOf<typeof people.subscribe>['subscription'],
  ): Answer<typeof people.subscribe> => this.#host.call(people.subscribe, {}, { body: { subscription } });

  readonly unsubscribe = (): Answer<typeof people.unsubscribe> => this.#host.call(people.unsubscribe, {});

  readonly models = (): Answer<typeof host.models> => this.#host.call(host.models, {});

  readonly health = (signal?: AbortSignal): Answer<typeof host.health> => this.#host.call(host.health, {}, { signal });
}

/** Pages up to the size that the first one reports. */
async function* pages<Page extends { readonly to: number; readonly size: number }>(
  offset: number,
  ask: (offset: number) => Promise<Page>,
): AsyncGenerator<Page> {
  for (let at = offset, end = Infinity; at < end;) {
    const page = await ask(at);
    if (page.to <= at) return;
    yield page;
    at = page.to;
    end = Math.min(end, page.size);
  }
}
