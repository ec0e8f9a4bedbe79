/** What an endpoint is. `routes.ts` lists them. */
import { z } from 'zod';

/** What a process that Rouse started may do to its host only if the host's configuration allows it. */
export const Permission = z.enum(['notify', 'send', 'answer', 'run', 'sessions', 'processes', 'open']);
export type Permission = z.infer<typeof Permission>;

export type Route<
  Path extends string = string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  readonly path: Path;
  /** One line for the OpenAPI document. */
  readonly summary: string;
  /** A query or a JSON body that is not stated must be empty. */
  readonly query?: Query;
  readonly body?: Body;
  /** The body is a file: the handler reads it from the connection. */
  readonly takes?: 'bytes';
  readonly limits?: BodyLimits;
  /** The JSON of a success. */
  readonly answer?: Answer;
  readonly status?: 201 | 202;
  /** By name, the data of each event of a `text/event-stream`. */
  readonly events?: EventShapes;
  /** Another type that it answers with: on request where there is an answer or a stream, otherwise always. */
  readonly produces?: string;
  /**
   * Without it a caller needs the token or a signed-in browser. `anyone` needs neither. A `probe` that sends no token
   * may also use any Host header: an orchestrator knows a container only by its address.
   */
  readonly access?: 'anyone' | 'probe';
  /** Needed by a caller inside a process. `by-owner`: the handler decides, because it depends on whose process it is. */
  readonly permission?: Permission | 'by-owner';
};

export type BodyLimits = {
  readonly bytes: number;
  /** How long it may take to arrive; by default as long as any request. */
  readonly ms?: number;
};

export type EventShapes = Readonly<Record<string, z.ZodType>>;

/** Reading changes nothing. A route that changes something and names no permission needs the widest one. */
export const permissionFor = ({ method, permission }: Route): Route['permission'] =>
  permission ?? (method === 'GET' ? undefined : 'sessions');

type ParamName<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** `{ id: string }` for a path with `:id`. */
export type ParamsOf<Path extends string> = Readonly<Record<ParamName<Path>, string>>;

export const pathOf = ({ path }: Route, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** What a caller passes: the query as it is after parsing, the body as it is before. */
export type QueryOf<Called extends Route> = Called extends { readonly query: infer Query extends z.ZodType }
  ? z.output<Query>
  : never;
export type BodyOf<Called extends Route> = Called extends { readonly body: infer Body extends z.ZodType }
  ? z.input<Body>
  : never;

type Details = Omit<Route, 'method' | 'path' | 'summary'>;

const route =
  <Method extends Route['method']>(method: Method) =>
  <Path extends string, const Stated extends Details>(path: Path, summary: string, stated: Stated) => ({
    method,
    path,
    summary,
    ...stated,
  });

export const get = route('GET');
export const post = route('POST');
export const patch = route('PATCH');
export const put = route('PUT');
