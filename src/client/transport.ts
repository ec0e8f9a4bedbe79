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

/** Where a host is, and the token that opens it. A browser has none: it has a cookie, and the key of its page. */
export type Address = { readonly url: string; readonly token?: string | undefined };

/** No host answered at the address, or the answer broke off. */
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
  #address: Address;
  #isLost = false;

  constructor(
    address: Address,
    readonly options: {
      readonly key: () => string | undefined;
      /** Of the process that we run in, if Rouse started it. */
      readonly process: string | undefined;
      /** Finds the host again after a cut: by then its address may belong to another program. */
      readonly locate: (() => Address) | undefined;
    },
  ) {
    this.#address = address;
  }

  get url(): string {
    return this.#address.url;
  }

  async get<Answer extends z.ZodType>(
    path: string,
    query: Query,
    answer: Answer,
    signal?: AbortSignal,
  ): Promise<z.output<Answer>> {
    return answer.parse(await this.#json(this.open(path, { query, signal })));
  }

  async post<Answer extends z.ZodType>(
    path: string,
    body: unknown,
    answer: Answer,
    signal?: AbortSignal,
  ): Promise<z.output<Answer>> {
    return answer.parse(await this.#json(this.#fetch('POST', path, { body, signal })));
  }

  async patch<Answer extends z.ZodType>(path: string, body: unknown, answer: Answer): Promise<z.output<Answer>> {
    return answer.parse(await this.#json(this.#fetch('PATCH', path, { body })));
  }

  async put<Answer extends z.ZodType>(
    path: string,
    bytes: Uint8Array<ArrayBuffer> | Blob,
    answer: Answer,
  ): Promise<z.output<Answer>> {
    return answer.parse(await this.#json(this.#fetch('PUT', path, { bytes })));
  }

  /** The response itself, for a caller that reads bytes. */
  open(path: string, asked: Omit<Asked, 'body' | 'bytes'>): Promise<Response> {
    return this.#fetch('GET', path, asked);
  }

  /** The body as it comes. Not every browser can iterate over a stream by itself. */
  async *chunks(path: string, asked: Omit<Asked, 'body' | 'bytes'>): AsyncGenerator<Uint8Array> {
    const reader = (await this.open(path, asked)).body?.getReader();
    if (!reader) return;
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value as Uint8Array;
    } catch (error) {
      throw asked.signal?.aborted ? error : this.#cut(error);
    } finally {
      // Closes the connection of a reader that stops early; one that is cut already has nothing to close.
      await reader.cancel().catch(() => undefined);
    }
  }

  /** After a cut: the host is located again before the next request. */
  lost(): void {
    this.#isLost = true;
  }

  #locate(): Address {
    if (this.#isLost && this.options.locate) this.#address = this.options.locate();
    this.#isLost = false;
    return this.#address;
  }

  async #json(response: Promise<Response>): Promise<unknown> {
    return (await response).json().catch((error: unknown) => {
      // What fetch throws when an answer breaks off in the middle.
      throw error instanceof TypeError ? this.#cut(error) : error;
    });
  }

  #cut(cause: unknown): HostUnreachable {
    this.lost();
    return new HostUnreachable(`The connection to ${this.url} was cut.`, { cause });
  }

  async #fetch(method: string, path: string, { query = {}, body, bytes, accept, signal }: Asked): Promise<Response> {
    const { url: host, token } = this.#locate();
    const url = new URL(path, host);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const key = this.options.key();
    const response = await fetch(url, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(key !== undefined && { [KEY_HEADER]: key }),
        ...(this.options.process && { [PROCESS_HEADER]: this.options.process }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(bytes && { 'content-type': 'application/octet-stream' }),
        ...(accept && { accept }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(bytes && { body: bytes }),
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      this.lost();
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
