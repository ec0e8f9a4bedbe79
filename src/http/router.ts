/**
 * Binds handlers to the routes of the contract. A request is admitted and checked by its route; a handler returns data
 * or a refusal and knows nothing of status codes.
 */
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import type { ParamsOf, Route } from '../contract/route.js';
import { isRefusal, type Refusal } from '../contract/refusal.js';
import type { Clock } from '../ports/clock.js';
import { bodyOf, USUAL_BODY } from './body.js';
import type { Admit, Bindings } from './guard.js';
import { problem, refused } from './problem.js';

type RouteGroup = Readonly<Record<string, Route>>;

type Parsed<Shape> = Shape extends z.ZodType ? z.output<Shape> : object;

export type Request<Bound extends Route> = {
  readonly params: ParamsOf<Bound['path']>;
  readonly query: Parsed<Bound['query']>;
  readonly body: Parsed<Bound['body']>;
  readonly context: Context<Bindings>;
};

type Answer<Shape> = Shape extends z.ZodType ? z.input<Shape> : never;

/** One handler for each route of a group. */
export type Handlers<Group extends RouteGroup> = {
  readonly [Name in keyof Group]: (
    request: Request<Group[Name]>,
  ) => Promise<Answer<Group[Name]['answer']> | Refusal | Response>;
};

type AnyHandler = (request: {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly context: Context<Bindings>;
}) => Promise<object>;

const nothing = z.strictObject({});

export class Router {
  constructor(
    readonly app: Hono<Bindings>,
    readonly admit: Admit,
    readonly clock: Clock,
  ) {}

  bind<Group extends RouteGroup>(group: Group, handlers: Handlers<Group>): void {
    for (const [name, route] of Object.entries(group)) {
      // `Handlers` pairs each handler with its route; a loop over both cannot say so.
      const handler = handlers[name] as AnyHandler;
      this.app.on(route.method, route.path, (context) => this.#answer(route, handler, context));
    }
  }

  async #answer(route: Route, handler: AnyHandler, context: Context<Bindings>): Promise<Response> {
    const turnedAway = this.admit(context, route);
    if (turnedAway) return turnedAway;
    const query = (route.query ?? nothing).safeParse(context.req.query());
    if (!query.success) return invalid(query.error);
    const sent =
      route.method === 'GET' || route.takes ? {} : await bodyOf(context, route.limits ?? USUAL_BODY, this.clock);
    if (sent instanceof Response) return sent;
    const body = (route.body ?? nothing).safeParse(sent);
    if (!body.success) return invalid(body.error);
    const outcome = await handler({ params: context.req.param(), query: query.data, body: body.data, context });
    if (outcome instanceof Response) return outcome;
    return isRefusal(outcome) ? refused(outcome) : context.json(outcome, route.status ?? 200);
  }
}

/** What is wrong with a request: the field first, then the reason. */
const invalid = ({ issues }: z.ZodError): Response =>
  problem(
    400,
    'invalid',
    issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join('; '),
  );
