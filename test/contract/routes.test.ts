import { expect, test } from 'vitest';
import { pathOf, permissionFor, type Route } from '../../src/contract/route.js';
import { routes } from '../../src/contract/routes.js';

const all: readonly Route[] = Object.values(routes).flatMap((group): readonly Route[] => Object.values(group));

test('no two routes have one method and path', () => {
  const names = all.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(names).size).toBe(names.length);
});

test('a path is filled with its parameters, each as one segment', () => {
  expect(pathOf(routes.session.putFile, { id: 'ses_1', name: 'a/../b c.txt' })).toBe(
    '/api/sessions/ses_1/files/a%2F..%2Fb%20c.txt',
  );
  expect(pathOf(routes.process.list, {})).toBe('/api/processes');
});

test('N17 a route that changes something needs a permission, even when it names none', () => {
  const changing = all.filter(({ method }) => method !== 'GET');
  expect(changing.filter((route) => permissionFor(route) === undefined)).toEqual([]);
  expect(permissionFor(routes.session.reset)).toBe('sessions');
  expect(permissionFor(routes.session.questions)).toBe('answer');
  expect(permissionFor(routes.session.show)).toBeUndefined();
});
