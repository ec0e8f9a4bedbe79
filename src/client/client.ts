/** The typed client: what the HTTP interface offers, as methods. Works in Node and in a browser. */
import type { z } from 'zod';
import { HealthAnswer, KillAnswer, Problem, ProcessAnswer, ProcessesAnswer, WaitAnswer } from '../contract/api.js';
import { OutputPage } from '../contract/output.js';
import type { ProcessState, ProcessView, StartInput } from '../contract/process.js';
import { events } from './event-stream.js';

/** The host understood and turned it down, or could not do it; the message is for a person. */
export class RouseProblem extends Error {
  override readonly name = 'RouseProblem';

  constructor(readonly problem: Problem) {
    super(problem.detail);
  }

  /** The word of the refusal, such as `not-found`. */
  get word(): string {
    return this.problem.type.replace('/problems/', '');
  }
}

/** No host answered at the address. */
export class HostUnreachable extends Error {
  override readonly name = 'HostUnreachable';
}

export type Bytes = {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly size: number;
  readonly released: number;
};

export type OutputEvent =
  | { readonly kind: 'output'; readonly page: OutputPage }
  | { readonly kind: 'end'; readonly process: ProcessView }
  | { readonly kind: 'refused'; readonly why: string };

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

const WAIT_STEP_MS = 60_000;

export class RouseClient {
  constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  start(request: StartInput): Promise<ProcessAnswer> {
    return this.#post('/api/processes', request, ProcessAnswer);
  }

  async list(filter: { session?: string; state?: ProcessState; limit?: number } = {}): Promise<readonly ProcessView[]> {
    return (await this.#get('/api/processes', filter, ProcessesAnswer)).processes;
  }

  process(id: string, { tail }: { tail?: number } = {}): Promise<ProcessAnswer> {
    return this.#get(this.#path(id), { tail }, ProcessAnswer);
  }

  /** In steps, because no request should be left without an answer for minutes. */
  async wait(id: string, timeoutMs: number, signal?: AbortSignal): Promise<WaitAnswer> {
    for (let leftMs = timeoutMs; ; leftMs -= WAIT_STEP_MS) {
      const step = { timeoutMs: Math.min(leftMs, WAIT_STEP_MS) };
      const answer = await this.#post(this.#path(id, 'wait'), step, WaitAnswer, signal);
      if (answer.outcome === 'ended' || leftMs <= WAIT_STEP_MS) return answer;
    }
  }

  kill(id: string, signal?: string): Promise<KillAnswer> {
    return this.#post(this.#path(id, 'kill'), signal === undefined ? {} : { signal }, KillAnswer);
  }

  write(id: string, data: string, { submit = false } = {}): Promise<ProcessAnswer> {
    return this.#post(this.#path(id, 'input'), { data, submit }, ProcessAnswer);
  }

  closeInput(id: string): Promise<ProcessAnswer> {
    return this.#post(this.#path(id, 'close-input'), {}, ProcessAnswer);
  }

  resize(id: string, rows: number, cols: number): Promise<ProcessAnswer> {
    return this.#post(this.#path(id, 'resize'), { rows, cols }, ProcessAnswer);
  }

  output(
    id: string,
    query: { offset?: number; limit?: number; line?: number; lines?: number; plain?: boolean } = {},
  ): Promise<OutputPage> {
    return this.#get(this.#path(id, 'output'), query, OutputPage);
  }

  /** The bytes exactly as they were written. */
  async bytes(id: string, offset: number, limit: number): Promise<Bytes> {
    const response = await this.#fetch('GET', this.#path(id, 'output'), {
      query: { offset, limit },
      accept: 'application/octet-stream',
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

  /** The output as text, as it comes, up to the end of the process. Ends early when the line is cut: go on from `page.to`. */
  async *follow(
    id: string,
    { offset = 0, plain = false, signal }: { offset?: number; plain?: boolean; signal?: AbortSignal } = {},
  ): AsyncGenerator<OutputEvent> {
    const response = await this.#fetch('GET', this.#path(id, 'output/stream'), {
      query: { offset, plain },
      accept: 'text/event-stream',
      signal,
    });
    for await (const { event, data } of events(response)) {
      if (event === 'output') yield { kind: 'output', page: OutputPage.parse(data) };
      else if (event === 'end') yield { kind: 'end', process: ProcessAnswer.parse(data).process };
      else if (event === 'refused') yield { kind: 'refused', why: (data as { why: string }).why };
    }
  }

  /** The bytes as they come, up to the end of the process. */
  async *followBytes(id: string, offset: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const response = await this.#fetch('GET', this.#path(id, 'output/stream'), {
      query: { offset },
      accept: 'application/octet-stream',
      signal,
    });
    if (response.body) for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) yield chunk;
  }

  health(signal?: AbortSignal): Promise<HealthAnswer> {
    return this.#get('/healthz', {}, HealthAnswer, signal);
  }

  #path(id: string, rest = ''): string {
    return `/api/processes/${encodeURIComponent(id)}${rest && `/${rest}`}`;
  }

  async #get<Answer extends z.ZodType>(
    path: string,
    query: Query,
    answer: Answer,
    signal?: AbortSignal,
  ): Promise<z.output<Answer>> {
    return answer.parse(await (await this.#fetch('GET', path, { query, signal })).json());
  }

  async #post<Answer extends z.ZodType>(
    path: string,
    body: unknown,
    answer: Answer,
    signal?: AbortSignal,
  ): Promise<z.output<Answer>> {
    return answer.parse(await (await this.#fetch('POST', path, { body, signal })).json());
  }

  async #fetch(
    method: string,
    path: string,
    {
      query = {},
      body,
      accept,
      signal,
    }: { query?: Query; body?: unknown; accept?: string; signal?: AbortSignal | undefined },
  ): Promise<Response> {
    const url = new URL(path, this.url);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(accept && { accept }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw new HostUnreachable(`No host answers at ${this.url}.`, { cause: error });
    });
    if (!response.ok) throw new RouseProblem(await problemOf(response));
    return response;
  }
}

async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => undefined);
  const known = Problem.safeParse(body);
  return known.success
    ? known.data
    : {
        type: '/problems/unknown',
        title: 'unknown',
        status: response.status,
        detail: `The host answered with status ${response.status}.`,
      };
}
