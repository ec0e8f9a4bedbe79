/** Requests to a host, and what may come of them: an answer of the shape that was asked for, or an error that says why. */
import type { z } from 'zod';
import { Problem } from '../contract/host.js';
import { PROCESS_HEADER, KEY_HEADER } from '../contract/people.js';

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

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

type Asked = {
  readonly query?: Query;
  readonly body?: unknown;
  /** Instead of a body. */
  readonly bytes?: Uint8Array<ArrayBuffer> | Blob;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
};

export class Transport {
  constructor(
    readonly url: string,
    /** A browser has none: it has a cookie, which it sends by itself, and the key of its page. */
    readonly token: string | undefined,
    readonly key: () => string | undefined,
    /** Of the process that we run in, if Rouse started it. */
    readonly process?: string | undefined,
  ) {}

  async get<Answer extends z.ZodType>(
    path: string,
    query: Query,
    answer: Answer,
    signal?: AbortSignal,
  ): Promise<z.output<Answer>> {
    return answer.parse(await (await this.open(path, { query, signal })).json());
  }

  async post<Answer extends z.ZodType>(
    path: string,
    body: unknown,
    answer: Answer,
    signal?: AbortSignal,
  ): Promise<z.output<Answer>> {
    return answer.parse(await (await this.#fetch('POST', path, { body, signal })).json());
  }

  async patch<Answer extends z.ZodType>(path: string, body: unknown, answer: Answer): Promise<z.output<Answer>> {
    return answer.parse(await (await this.#fetch('PATCH', path, { body })).json());
  }

  async put<Answer extends z.ZodType>(
    path: string,
    bytes: Uint8Array<ArrayBuffer> | Blob,
    answer: Answer,
  ): Promise<z.output<Answer>> {
    return answer.parse(await (await this.#fetch('PUT', path, { bytes })).json());
  }

  /** The response itself, for whoever reads bytes or a stream. */
  open(path: string, asked: Omit<Asked, 'body' | 'bytes'>): Promise<Response> {
    return this.#fetch('GET', path, asked);
  }

  async #fetch(method: string, path: string, { query = {}, body, bytes, accept, signal }: Asked): Promise<Response> {
    const url = new URL(path, this.url);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const key = this.key();
    const response = await fetch(url, {
      method,
      headers: {
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
        ...(key !== undefined && { [KEY_HEADER]: key }),
        ...(this.process && { [PROCESS_HEADER]: this.process }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(bytes && { 'content-type': 'application/octet-stream' }),
        ...(accept && { accept }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(bytes && { body: bytes }),
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
