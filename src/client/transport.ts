/** Calls the routes of a host. A call returns the answer that its route states, or throws an error that says why not. */
import type { z } from 'zod';
import { Problem } from '../contract/host.js';
import { KEY_HEADER, PROCESS_HEADER } from '../contract/people.js';
import { pathOf, type ParamsOf, type Route } from '../contract/route.js';

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

type Asked<Query, Body> = {
  readonly query?: Query;
  readonly body?: Body;
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

  async call<
    Path extends string,
    Answer extends z.ZodType,
    Query extends z.ZodType = z.ZodNever,
    Body extends z.ZodType = z.ZodNever,
  >(
    route: Route<Path, Query, Body, Answer> & { readonly answer: Answer },
    params: ParamsOf<Path>,
    asked: Asked<z.output<Query>, z.input<Body>> = {},
  ): Promise<z.output<Answer>> {
    const response = await this.#fetch(route, params, asked);
    const json: unknown = await response.json().catch((error: unknown) => {
      // What fetch throws when an answer breaks off in the middle.
      throw error instanceof TypeError ? this.#cut(error) : error;
    });
    return route.answer.parse(json);
  }

  /** The response itself, for a caller that reads bytes. */
  open<Path extends string, Query extends z.ZodType = z.ZodNever>(
    route: Route<Path, Query>,
    params: ParamsOf<Path>,
    asked: Asked<z.output<Query>, never>,
  ): Promise<Response> {
    return this.#fetch(route, params, asked);
  }

  /** The body as it comes. Not every browser can iterate over a stream by itself. */
  async *chunks<Path extends string, Query extends z.ZodType = z.ZodNever>(
    route: Route<Path, Query>,
    params: ParamsOf<Path>,
    asked: Asked<z.output<Query>, never>,
  ): AsyncGenerator<Uint8Array> {
    const reader = (await this.open(route, params, asked)).body?.getReader();
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

  #cut(cause: unknown): HostUnreachable {
    this.lost();
    return new HostUnreachable(`The connection to ${this.url} was cut.`, { cause });
  }

  async #fetch(
    route: Route,
    params: Readonly<Record<string, string>>,
    { query, body, bytes, accept, signal }: Asked<unknown, unknown>,
  ): Promise<Response> {
    const { url: host, token } = this.#locate();
    const url = new URL(pathOf(route, params), host);
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const key = this.options.key();
    const response = await fetch(url, {
      method: route.method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(key !== undefined && { [KEY_HEADER]: key }),
        ...(this.options.process && { [PROCESS_HEADER]: this.options.process }),
        ...(route.method !== 'GET' && { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }),
        ...(accept && { accept }),
      },
      ...(route.method !== 'GET' && { body: bytes ?? JSON.stringify(body ?? {}) }),
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
  const known = Problem.safeParse(await response.json().catch(() => undefined));
  return known.success
    ? known.data
    : {
        type: '/problems/unknown',
        title: 'unknown',
        status: response.status,
        detail: `The host answered with status ${response.status}.`,
      };
}
