/** The typed client: what the HTTP interface offers, as methods. Works in Node and in a browser. */
import {
  EntriesAnswer,
  SessionAnswer,
  SessionsAnswer,
  SnapshotAnswer,
  StopAnswer,
  type NewSession,
  type SessionChanges,
  type SessionView,
} from '../contract/session.js';
import { HealthAnswer, ModelsAnswer } from '../contract/host.js';
import {
  KillAnswer,
  LogAnswer,
  ProcessAnswer,
  ProcessesAnswer,
  UsageAnswer,
  WaitAnswer,
  type ProcessState,
  type ProcessView,
  type StartInput,
} from '../contract/process.js';
import {
  MessageAnswer,
  WaitingAnswer,
  type MessageChanges,
  FileAnswer,
  QuestionsAnswer,
  type QuestionView,
} from '../contract/message.js';
import { NoticeAnswer, WhyAnswer, NoticesAnswer, type NoticeState, type NoticeView } from '../contract/notice.js';
import type { EntryView, Mode } from '../contract/journal.js';
import { OutputPage, PAGE_BYTES, RAW_PAGE_BYTES, SearchAnswer, type OutputQuery } from '../contract/output.js';
import {
  PushAnswer,
  type PushRequest,
  MeAnswer,
  SignInAnswer,
  SignInLinkAnswer,
  SignOutAnswer,
} from '../contract/people.js';
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

const WAIT_STEP_MS = 60_000;
const RAW = 'application/octet-stream';
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

  start(request: StartInput): Promise<ProcessAnswer> {
    return this.#host.post('/api/processes', request, ProcessAnswer);
  }

  async list(filter: { session?: string; state?: ProcessState; limit?: number } = {}): Promise<readonly ProcessView[]> {
    return (await this.#host.get('/api/processes', filter, ProcessesAnswer)).processes;
  }

  /** What running processes use now; two looks make a rate. */
  usage(): Promise<UsageAnswer> {
    return this.#host.get('/api/processes/usage', {}, UsageAnswer);
  }

  process(id: string, { tail }: { tail?: number } = {}): Promise<ProcessAnswer> {
    return this.#host.get(this.#path(id), { tail }, ProcessAnswer);
  }

  /** In steps, because no request should be left without an answer for minutes. */
  async wait(
    id: string,
    timeoutMs: number,
    { session, signal }: { session?: string | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<WaitAnswer> {
    for (let leftMs = timeoutMs; ; leftMs -= WAIT_STEP_MS) {
      const step = { timeoutMs: Math.min(leftMs, WAIT_STEP_MS), ...(session !== undefined && { session }) };
      const answer = await this.#host.post(this.#path(id, 'wait'), step, WaitAnswer, signal);
      if (answer.outcome === 'ended' || leftMs <= WAIT_STEP_MS) return answer;
    }
  }

  kill(id: string, signal?: string, { session }: { session?: string | undefined } = {}): Promise<KillAnswer> {
    const body = { ...(signal !== undefined && { signal }), ...(session !== undefined && { session }) };
    return this.#host.post(this.#path(id, 'kill'), body, KillAnswer);
  }

  /** For the session that owns the process: an end that this shows is consumed. */
  poll(id: string, session: string, { tail }: { tail?: number } = {}): Promise<ProcessAnswer> {
    return this.#host.post(this.#path(id, 'poll'), { session, tail }, ProcessAnswer);
  }

  /** The same for a page of its output that reaches the end. */
  log(id: string, session: string, query: OutputQuery = {}): Promise<LogAnswer> {
    return this.#host.post(this.#path(id, 'log'), { session, query }, LogAnswer);
  }

  write(id: string, data: string, { submit = false } = {}): Promise<ProcessAnswer> {
    return this.#host.post(this.#path(id, 'input'), { data, submit }, ProcessAnswer);
  }

  closeInput(id: string): Promise<ProcessAnswer> {
    return this.#host.post(this.#path(id, 'close-input'), {}, ProcessAnswer);
  }

  resize(id: string, rows: number, cols: number): Promise<ProcessAnswer> {
    return this.#host.post(this.#path(id, 'resize'), { rows, cols }, ProcessAnswer);
  }

  output(
    id: string,
    query: { offset?: number; limit?: number; line?: number; lines?: number; plain?: boolean } = {},
  ): Promise<OutputPage> {
    return this.#host.get(this.#path(id, 'output'), query, OutputPage);
  }

  /** Lines that hold these words, in either case. Bounded: go on from `next` and `nextLine` where they are there. */
  searchOutput(
    id: string,
    text: string,
    { offset, line, limit }: { offset?: number; line?: number; limit?: number } = {},
  ): Promise<SearchAnswer> {
    return this.#host.get(this.#path(id, 'output/search'), { text, offset, line, limit }, SearchAnswer);
  }

  /** The bytes exactly as they were written. */
  async bytes(id: string, offset: number, limit: number): Promise<Bytes> {
    const response = await this.#host.open(this.#path(id, 'output'), {
      query: { offset, limit },
      accept: RAW,
    });
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
    const [host, path] = [this.#host, this.#path(id, 'output/stream')];
    let at = offset;
    async function* listen(signal: AbortSignal): AsyncGenerator<OutputEvent | undefined> {
      const asked = { query: { offset: at, plain }, accept: 'text/event-stream', signal };
      for await (const message of streamEvents(host.chunks(path, asked))) {
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
    const { client, host, path } = { client: this, host: this.#host, path: this.#path(id, 'output/stream') };
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
        for await (const bytes of host.chunks(path, { query: { offset: at }, accept: RAW, signal })) {
          const from = at;
          at += bytes.length;
          yield { kind: 'bytes' as const, bytes, from, to: at, size: at, released: 0 };
        }
      }
    }
    return resumed(listen, { signal, outage: this.#outage, heartbeats: false });
  }

  createSession(wanted: NewSession = {}): Promise<SessionAnswer> {
    return this.#host.post('/api/sessions', wanted, SessionAnswer);
  }

  async sessions(): Promise<readonly SessionView[]> {
    return (await this.#host.get('/api/sessions', {}, SessionsAnswer)).sessions;
  }

  /** The session with its last entries; `seq` is where to go on with `events`. */
  session(id: string, { entries }: { entries?: number } = {}): Promise<SnapshotAnswer> {
    return this.#host.get(this.#of(id), { entries }, SnapshotAnswer);
  }

  /** Entries behind a number, oldest first. */
  async entries(
    id: string,
    query: { after?: number; before?: number; limit?: number } = {},
  ): Promise<readonly EntryView[]> {
    return (await this.#host.get(this.#of(id, 'entries'), query, EntriesAnswer)).entries;
  }

  send(
    id: string,
    text: string,
    { mode, key, from }: { mode?: Mode; key?: string; from?: string } = {},
  ): Promise<MessageAnswer> {
    return this.#host.post(this.#of(id, 'messages'), { text, mode, key, from }, MessageAnswer);
  }

  /** For a message that still waits for its turn. */
  changeMessage(id: string, message: string, changes: MessageChanges): Promise<WaitingAnswer> {
    return this.#host.patch(this.#of(id, `messages/${encodeURIComponent(message)}`), changes, WaitingAnswer);
  }

  withdraw(id: string, message: string): Promise<WaitingAnswer> {
    return this.#host.post(this.#of(id, `messages/${encodeURIComponent(message)}/withdraw`), {}, WaitingAnswer);
  }

  stop(id: string): Promise<StopAnswer> {
    return this.#host.post(this.#of(id, 'stop'), {}, StopAnswer);
  }

  /** Leaves everything behind that was owed for what came before. */
  reset(id: string): Promise<SessionAnswer> {
    return this.#host.post(this.#of(id, 'reset'), {}, SessionAnswer);
  }

  /** Lifts a pause, and continues what a failed turn or a restart left unfinished. */
  resumeWakes(id: string): Promise<SessionAnswer> {
    return this.#host.post(this.#of(id, 'resume'), {}, SessionAnswer);
  }

  answer(id: string, question: string, text: string): Promise<SessionAnswer> {
    return this.#host.post(this.#of(id, 'answers'), { question, text }, SessionAnswer);
  }

  /** The questions that wait, exactly as they were asked. */
  async questions(id: string): Promise<readonly QuestionView[]> {
    return (await this.#host.get(this.#of(id, 'questions'), {}, QuestionsAnswer)).questions;
  }

  models(): Promise<ModelsAnswer> {
    return this.#host.get('/api/models', {}, ModelsAnswer);
  }

  /** Up to which number a person has seen the session; it only ever rises. */
  seen(id: string, seq: number): Promise<SessionAnswer> {
    return this.#host.post(this.#of(id, 'seen'), { seq }, SessionAnswer);
  }

  changeSession(id: string, changes: SessionChanges): Promise<SessionAnswer> {
    return this.#host.patch(this.#of(id), changes, SessionAnswer);
  }

  notify(session: string, text: string, { key, from }: { key?: string; from?: string } = {}): Promise<NoticeAnswer> {
    return this.#host.post(this.#of(session, 'notices'), { text, key, from }, NoticeAnswer);
  }

  async notices(
    filter: { session?: string; process?: string; state?: NoticeState; limit?: number } = {},
  ): Promise<readonly NoticeView[]> {
    return (await this.#host.get('/api/notices', filter, NoticesAnswer)).notices;
  }

  notice(id: string): Promise<NoticeAnswer> {
    return this.#host.get(`/api/notices/${encodeURIComponent(id)}`, {}, NoticeAnswer);
  }

  retry(id: string): Promise<NoticeAnswer> {
    return this.#host.post(`/api/notices/${encodeURIComponent(id)}/retry`, {}, NoticeAnswer);
  }

  dismiss(id: string): Promise<NoticeAnswer> {
    return this.#host.post(`/api/notices/${encodeURIComponent(id)}/dismiss`, {}, NoticeAnswer);
  }

  /** What became of a notice, or of all notices of a process, in sentences. */
  why(id: string): Promise<WhyAnswer> {
    return this.#host.get(`/api/why/${encodeURIComponent(id)}`, {}, WhyAnswer);
  }

  /** What changes, as it changes; after a cut from the last number on. */
  events({
    session,
    after,
    signal,
  }: { session?: string | undefined; after?: number; signal?: AbortSignal } = {}): AsyncGenerator<HostEvent> {
    const host = this.#host;
    let last = after;
    async function* listen(signal: AbortSignal): AsyncGenerator<HostEvent | undefined> {
      const asked = { query: { session, after: last }, accept: 'text/event-stream', signal };
      for await (const message of streamEvents(host.chunks('/api/events', asked))) {
        const event = hostEvent(message);
        if (event?.kind === 'reset') last = event.head;
        else if (event && 'seq' in event) last = event.seq;
        yield event;
      }
      throw new HostUnreachable(STREAM_ENDED);
    }
    return resumed(listen, { signal, outage: this.#outage });
  }

  /** Gives a file to a session; `file.path` is where its agent finds it. */
  putFile(session: string, name: string, bytes: Uint8Array<ArrayBuffer> | Blob): Promise<FileAnswer> {
    return this.#host.put(this.#of(session, `files/${encodeURIComponent(name)}`), bytes, FileAnswer);
  }

  /** All of an output as a file of text. Reading it fails when the host cannot send the rest. */
  download(process: string): Promise<Response> {
    return this.#host.open(this.#path(process, 'output/file'), { accept: 'text/plain' });
  }

  /** A link that signs a browser in, once. */
  signInLink(): Promise<SignInLinkAnswer> {
    return this.#host.post('/api/sign-in-links', {}, SignInLinkAnswer);
  }

  /** In a browser: from here on its cookie and this key, 32 random bytes as base64url, take the place of the token. */
  signIn(code: string, key: string): Promise<SignInAnswer> {
    return this.#host.post('/api/sign-in', { code, key }, SignInAnswer);
  }

  signOut({ everywhere = false } = {}): Promise<SignOutAnswer> {
    return this.#host.post('/api/sign-out', { everywhere }, SignOutAnswer);
  }

  /** Fails with `no-token` or `signed-out` in a browser that is not signed in. */
  me(): Promise<MeAnswer> {
    return this.#host.get('/api/me', {}, MeAnswer);
  }

  /** Whether this browser is told when its page is closed. */
  pushed(): Promise<PushAnswer> {
    return this.#host.get('/api/push', {}, PushAnswer);
  }

  subscribe(subscription: PushRequest['subscription']): Promise<PushAnswer> {
    return this.#host.post('/api/push', { subscription }, PushAnswer);
  }

  unsubscribe(): Promise<PushAnswer> {
    return this.#host.post('/api/push/remove', {}, PushAnswer);
  }

  health(signal?: AbortSignal): Promise<HealthAnswer> {
    return this.#host.get('/healthz', {}, HealthAnswer, signal);
  }

  #path(id: string, rest = ''): string {
    return `/api/processes/${encodeURIComponent(id)}${rest && `/${rest}`}`;
  }

  #of(session: string, rest = ''): string {
    return `/api/sessions/${encodeURIComponent(session)}${rest && `/${rest}`}`;
  }
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
