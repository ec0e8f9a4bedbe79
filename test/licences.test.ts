/** What we ship of others comes with their licences. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const RULER = '='.repeat(80);

type Manifest = { readonly dependencies: Readonly<Record<string, string>>; readonly files?: readonly string[] };
const manifest = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;

/** By name, the text that stands under it. */
function licencesIn(file: string): ReadonlyMap<string, string> {
  const entries = readFileSync(join(root, file), 'utf8').split(`${RULER}\n`).slice(1);
  return new Map(entries.map((entry) => [entry.slice(0, entry.indexOf(' ')), entry.slice(entry.indexOf('\n'))]));
}

/** The comment that the bundler puts before the code of each module names its package. */
const bundledIn = (folder: string): ReadonlySet<string> =>
  new Set(
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) => [
        ...readFileSync(join(root, folder, name), 'utf8').matchAll(/^\/\/ (\S*node_modules\/\S+)$/gm),
      ])
      .flatMap(([, path = '']) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );

describe('the licences of others', () => {
  test('stand beside the program, for every package that is in it', () => {
    const licences = licencesIn('bin/THIRD-PARTY-LICENSES.txt');
    const bundled = [...bundledIn('bin')];
    expect(bundled).toEqual(expect.arrayContaining(['hono', 'zod', '@ai-sdk/provider-utils']));
    expect(bundled.filter((name) => !licences.has(name))).toEqual([]);
  });

  test('stand beside the page, for every package that it depends on', () => {
    const licences = licencesIn('bin/page/THIRD-PARTY-LICENSES.txt');
    expect(Object.keys(manifest('web').dependencies).filter((name) => !licences.has(name))).toEqual([]);
  });

  test.each(['bin', 'bin/page'])('are whole in %s: a text, and who holds the right', (folder) => {
    for (const [name, text] of licencesIn(`${folder}/THIRD-PARTY-LICENSES.txt`)) {
      expect(text.length, name).toBeGreaterThan(400);
      expect(text, name).toMatch(/copyright/i);
    }
  });

  test('are in what is published', () => {
    expect(manifest('.').files).toContain('bin');
    expect(existsSync(join(root, 'LICENSE'))).toBe(true);
  });
});
