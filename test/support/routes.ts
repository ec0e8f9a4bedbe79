/** Every route of a host, as its own description lists them. */
import type { TestHost } from './host.js';

export type Route = {
  readonly method: string;
  readonly path: string;
  /** Answers without a token and without a signed-in browser. */
  readonly open?: boolean;
};

/** Where a path names a process or a file, `process` and `notes.txt` stand in. */
export async function routesOf(host: TestHost, process: string): Promise<readonly Route[]> {
  const response = await fetch(`${host.url}/api/openapi.json`, { headers: { authorization: `Bearer ${host.token}` } });
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, { security?: [] }>> };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      path: path.replace('{id}', process).replace('{name}', 'notes.txt'),
      open: security !== undefined,
    })),
  );
  return [
    ...described,
    { method: 'GET', path: '/nothing' },
    { method: 'POST', path: '/' },
    { method: 'DELETE', path: '/api/processes' },
  ];
}
