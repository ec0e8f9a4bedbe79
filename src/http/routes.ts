/**
 * A route is said once: its path, its shapes, its answer. The router checks requests by them, OpenAPI is made of them,
 * and a handler returns data or a refusal and knows nothing of status codes.
 */
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import type { Clock } from '../ports/clock.js';
import { Problem } from '../contract/host.js';
import { isRefusal, type Refusal } from '../contract/refusal.js';
import { KEY_HEADER } from '../contract/people.js';
import { bodyOf, USUAL_BODY, type BodyLimits } from './body.js';
import type { Bindings } from './guard.js';
import { problem, refused } from './problem.js';

type Shapes<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType> = {
  readonly summary: string;
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: Answer;
  readonly status?: 200 | 201 | 202;
  readonly limits?: BodyLimits;
  /** Needs neither token nor browser. */
  readonly open?: true;
};

export type Request<Query, Body> = {
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  readonly context: Context<Bindings>;
};

type Handler<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType> = (
  request: Request<z.output<Query>, z.output<Body>>,
) => Promise<z.input<Answer> | Refusal | Response>;

const nothing = z.strictObject({});

export class Routes {
  readonly #paths: Record<string, Record<string, unknown>> = {};
  /** Done when somebody asks: at the start of a host it would take longer than everything else about routes. */
  readonly #undescribed: (() => void)[] = [];

  constructor(
    readonly app: Hono<Bindings>,
    readonly clock: Clock,
  ) {}

  get<Query extends z.ZodType, Answer extends z.ZodType>(
    path: string,
    shapes: Omit<Shapes<Query, typeof nothing, Answer>, 'body'>,
    handler: Handler<Query, typeof nothing, Answer>,
  ): void {
    this.#undescribed.push(() => this.#describe('get', path, shapes));
    this.app.get(path, (context) => answered(context, shapes, handler, this.clock));
  }

  post<Body extends z.ZodType, Answer extends z.ZodType>(
    path: string,
    shapes: Omit<Shapes<typeof nothing, Body, Answer>, 'query'>,
    handler: Handler<typeof nothing, Body, Answer>,
  ): void {
    this.#undescribed.push(() => this.#describe('post', path, shapes));
    this.app.post(path, (context) => answered(context, shapes, handler, this.clock));
  }

  patch<Body extends z.ZodType, Answer extends z.ZodType>(
    path: string,
    shapes: Omit<Shapes<typeof nothing, Body, Answer>, 'query'>,
    handler: Handler<typeof nothing, Body, Answer>,
  ): void {
    this.#undescribed.push(() => this.#describe('patch', path, shapes));
    this.app.patch(path, (context) => answered(context, shapes, handler, this.clock));
  }

  /** Takes bytes as they are: the handler reads them from the connection itself. */
  put<Answer extends z.ZodType>(
    path: string,
    shapes: Omit<Shapes<typeof nothing, typeof nothing, Answer>, 'query' | 'body'>,
    handler: Handler<typeof nothing, typeof nothing, Answer>,
  ): void {
    this.#undescribed.push(() => this.#describe('put', path, shapes));
    this.app.put(path, (context) => answered(context, shapes, handler, this.clock));
  }

  openapi(version: string): unknown {
    for (const describe of this.#undescribed.splice(0)) describe();
    return {
      openapi: '3.1.0',
      info: { title: 'Rouse', version, description: 'Processes that outlive their host.' },
      security: [{ token: [] }, { cookie: [], key: [] }],
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer' },
          cookie: { type: 'apiKey', in: 'cookie', name: 'rouse-PORT' },
          key: { type: 'apiKey', in: 'header', name: KEY_HEADER },
        },
      },
      paths: this.#paths,
    };
  }

  #describe(
    method: 'get' | 'post' | 'patch' | 'put',
    path: string,
    { summary, query, body, answer, status = 200, open }: Shapes<z.ZodType, z.ZodType, z.ZodType>,
  ): void {
    const named = path.replaceAll(/:(\w+)/g, '{$1}');
    const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }));
    this.#paths[named] = {
      ...this.#paths[named],
      [method]: {
        summary,
        ...(open && { security: [] }),
        parameters: [...parameters, ...(query ? queryParameters(query) : [])],
        ...(body && {
          requestBody: { required: true, content: { 'application/json': { schema: shape(body, 'input') } } },
        }),
        ...(method === 'put' && { requestBody: { required: true, content: { 'application/octet-stream': {} } } }),
        responses: {
          [status]: { description: summary, content: { 'application/json': { schema: shape(answer, 'output') } } },
          default: {
            description: 'A refusal (RFC 9457)',
            content: { 'application/problem+json': { schema: shape(Problem, 'output') } },
          },
        },
      },
    };
  }
}

async function answered<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType>(
  context: Context<Bindings>,
  { query, body, status = 200, limits = USUAL_BODY }: Shapes<Query, Body, Answer>,
  handler: Handler<Query, Body, Answer>,
  clock: Clock,
): Promise<Response> {
  const asked = (query ?? nothing).safeParse(context.req.query());
  if (!asked.success) return problem(400, 'invalid', sentence(asked.error.issues));
  const given = ['GET', 'PUT'].includes(context.req.method) ? {} : await bodyOf(context, limits, clock);
  if (given instanceof Response) return given;
  const told = (body ?? nothing).safeParse(given);
  if (!told.success) return problem(400, 'invalid', sentence(told.error.issues));
  const outcome = await handler({
    id: context.req.param('id') ?? '',
    query: asked.data as z.output<Query>,
    body: told.data as z.output<Body>,
    context,
  });
  if (outcome instanceof Response) return outcome;
  return isRefusal(outcome) ? refused(outcome) : context.json(outcome as object, status);
}

const shape = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
};

function queryParameters(query: z.ZodType) {
  const { properties = {} } = shape(query, 'input');
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
}

/** What is wrong with a request, in words: the field first, then the reason. */
const sentence = (issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string =>
  issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join('; ');
