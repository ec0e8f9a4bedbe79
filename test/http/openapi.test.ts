import { expect, test } from 'vitest';
import { openapi } from '../../src/http/openapi.js';

type Operation = { parameters: object[]; responses: Record<string, { content: Record<string, { schema: object }> }> };
const { paths } = openapi('1.0.0') as { paths: Record<string, Record<string, Operation>> };

test('a stream is described with its events', () => {
  const { content } = paths['/api/events']?.['get']?.responses['200'] ?? {};
  expect(Object.keys(content ?? {})).toEqual(['text/event-stream']);
  expect(content?.['text/event-stream']?.schema).toMatchObject({
    oneOf: expect.arrayContaining([
      expect.objectContaining({ properties: expect.objectContaining({ event: { const: 'heartbeat' } }) }),
      expect.objectContaining({ properties: expect.objectContaining({ event: { const: 'entry' } }) }),
    ]),
  });
});

test('an output can be followed as events or as raw bytes', () => {
  const { content } = paths['/api/processes/{id}/output/stream']?.['get']?.responses['200'] ?? {};
  expect(Object.keys(content ?? {})).toEqual(['text/event-stream', 'application/octet-stream']);
});

test('a query parameter without which a route refuses is marked as required', () => {
  expect(paths['/api/processes/{id}/output/search']?.['get']?.parameters).toMatchObject([
    { name: 'id', in: 'path', required: true },
    { name: 'text', in: 'query', required: true },
    { name: 'offset', in: 'query', required: false },
    { name: 'line', required: false },
    { name: 'limit', required: false },
  ]);
});
