/** Holds the house to its plan: who may import whom, and what may not stand where. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const textOf = (file: string) => readFileSync(join(src, file), 'utf8');

const ports = ['agent.ts', 'clock.ts', 'courier.ts', 'place.ts', 'push.ts', 'store.ts'];

/** The room a file stands in: its folder, or `port` for the files that say what a folder must do. */
const roomOf = (file: string) =>
  ports.includes(file) ? 'port' : file.includes('/') ? (file.split('/')[0] ?? '') : file;

const host = ['contract', 'domain', 'port', 'agent', 'clock', 'courier', 'place', 'push', 'store', 'runtime'];

/** Each room, and the rooms it may look into beside its own. */
const mayImport: Record<string, readonly string[]> = {
  contract: [],
  domain: ['contract'],
  port: ['contract', 'domain', 'port'],
  agent: ['contract', 'domain', 'port'],
  clock: ['port'],
  courier: ['contract', 'domain', 'port'],
  place: ['contract', 'domain', 'port'],
  push: ['contract', 'domain', 'port'],
  store: ['contract', 'domain', 'port'],
  runtime: ['contract', 'domain', 'port'],
  http: ['contract', 'domain', 'port', 'runtime'],
  client: ['contract'],
  cli: ['contract', 'client', 'host-note.ts'],
  'configuration.ts': [],
  'door.ts': ['http', 'port'],
  'home.ts': ['domain', 'store', 'host-note.ts'],
  'host-note.ts': [],
  'opened.ts': [],
  'telemetry.ts': ['runtime'],
  'version.ts': [],
  'index.ts': ['contract', 'client'],
  start: [...host, 'configuration.ts', 'door.ts', 'home.ts', 'opened.ts', 'telemetry.ts', 'version.ts'],
};

const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path]) =>
    relative(src, resolve(src, dirname(file), path ?? '')).replace(/\.js$/, '.ts'),
  );

describe('the house', () => {
  test('every import runs downwards', () => {
    const wrong = files.flatMap((file) => {
      const room = roomOf(file);
      const allowed = mayImport[room];
      if (!allowed) return [];
      return importsOf(file)
        .filter((target) => roomOf(target) !== room && !allowed.includes(roomOf(target)))
        .map((target) => `${file} → ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test('every file stands in a room of the plan', () => {
    const roots = new Set([...Object.keys(mayImport), 'command-line.ts', 'main.ts', 'rouse.ts', 'diagnosis', 'diagnosis.ts']);
    expect(files.filter((file) => !roots.has(roomOf(file)))).toEqual([]);
  });

  test('no circle', () => {
    const visiting = new Set<string>();
    const done = new Set<string>();
    const visit = (file: string): void => {
      if (done.has(file)) return;
      if (visiting.has(file)) throw new Error(`a circle through ${file}`);
      visiting.add(file);
      for (const target of importsOf(file)) visit(target);
      visiting.delete(file);
      done.add(file);
    };
    expect(() => files.forEach(visit)).not.toThrow();
  });

  test('contract and domain take neither time nor dice', () => {
    const pure = files.filter((file) => ['contract', 'domain'].includes(roomOf(file)));
    expect(pure.filter((file) => /\bDate\b|Math\.random/.test(textOf(file)))).toEqual([]);
  });

  test('only the clock, the composition and the command line read a clock or set a timer', () => {
    const free = (file: string) =>
      ['clock', 'cli'].includes(roomOf(file)) || ['main.ts', 'rouse.ts', 'diagnosis.ts'].includes(file);
    expect(
      files.filter(
        (file) => !free(file) && /\bDate\.now\(|new Date\(\)|\bsetTimeout\(|\bsetInterval\(/.test(textOf(file)),
      ),
    ).toEqual([]);
  });

  test('no file is named after nothing', () => {
    expect(
      files.filter((file) => /(?:^|\/)(?:utils?|helpers?|common|misc|manager|service|base|impl|types)\.ts$/.test(file)),
    ).toEqual([]);
  });
});

const web = fileURLToPath(new URL('../web/src', import.meta.url));
const pageFiles = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
const pageText = (file: string) => readFileSync(join(web, file), 'utf8');

describe('the page', () => {
  test('knows the contract and the client, and nothing else of the host', () => {
    const wrong = pageFiles.flatMap((file) =>
      [...pageText(file).matchAll(/(?:from|import)\s*\(?\s*'(rouse\/[^']+|(?:\.\.\/)+src\/[^']+)'/g)]
        .map(([, path]) => path ?? '')
        .filter((path) => !/^rouse\/(?:client|contract)\//.test(path))
        .map((path) => `${file} → ${path}`),
    );
    expect(wrong).toEqual([]);
  });

  test('every import runs downwards, and from view to view only where one stands in the other', () => {
    const views = ['look', 'keyboard', 'state', 'live'];
    const mayUse: Record<string, readonly string[]> = {
      look: [],
      live: ['worker'],
      state: ['live'],
      keyboard: [],
      conversation: views,
      notice: views,
      process: [...views, 'notice'],
      attention: views,
      worker: ['live', 'attention'],
      frame: [...views, 'conversation', 'notice', 'process', 'attention'],
    };
    const wrong = pageFiles.flatMap((file) => {
      const room = file.split('/')[0] ?? '';
      return [...pageText(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
        .map(([, path]) => relative(web, resolve(web, dirname(file), path ?? '')).split('/')[0] ?? '')
        .filter((target) => target !== room && mayUse[room] && !mayUse[room].includes(target))
        .map((target) => `${file} → ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test('makes no element out of a string', () => {
    const maker =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|\beval\(|new Function/;
    expect(pageFiles.filter((file) => maker.test(pageText(file)))).toEqual([]);
  });
});
