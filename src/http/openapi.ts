/** The OpenAPI document, made of the list of routes. */
import { z } from 'zod';
import { Problem } from '../contract/host.js';
import { KEY_HEADER } from '../contract/people.js';
import type { EventShapes, Route } from '../contract/route.js';
import { routes } from '../contract/routes.js';

export const openapi = (version: string): Record<string, unknown> => ({
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
  paths: paths(Object.values(routes).flatMap((group): readonly Route[] => Object.values(group))),
});

function paths(all: readonly Route[]): object {
  const described: Record<string, object> = {};
  for (const route of all) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    described[path] = { ...described[path], [route.method.toLowerCase()]: operation(route) };
  }
  return described;
}

const operation = (route: Route): object => ({
  summary: route.summary,
  ...(route.access && { security: [] }),
  parameters: [...pathParameters(route.path), ...queryParameters(route.query)],
  ...(route.body && { requestBody: { required: true, content: json(route.body, 'input') } }),
  ...(route.takes && { requestBody: { required: true, content: { 'application/octet-stream': {} } } }),
  responses: {
    [route.status ?? 200]: { description: route.summary, content: content(route) },
    default: {
      description: 'A refusal (RFC 9457)',
      content: { 'application/problem+json': { schema: shape(Problem, 'output') } },
    },
  },
});

const content = ({ answer, events, produces }: Route): object => ({
  ...(answer && json(answer, 'output')),
  ...(events && { 'text/event-stream': { schema: eventShape(events) } }),
  ...(produces && { [produces]: { schema: { type: 'string' } } }),
});

/** One of the named events; `data` is the JSON text of what its schema describes. */
const eventShape = (events: EventShapes): object => ({
  oneOf: Object.entries(events).map(([name, schema]) => ({
    type: 'object',
    required: ['event', 'data'],
    properties: {
      event: { const: name },
      id: { type: 'string' },
      data: { type: 'string', contentMediaType: 'application/json', contentSchema: shape(schema, 'output') },
    },
  })),
});

const json = (schema: z.ZodType, io: 'input' | 'output'): object => ({
  'application/json': { schema: shape(schema, io) },
});

const shape = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
};

const pathParameters = (path: string): readonly object[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));

function queryParameters(query: z.ZodType | undefined): readonly object[] {
  const { properties = {}, required = [] } = query ? shape(query, 'input') : {};
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}
