/** Holds the house to its plan: who may import whom, and what may not stand where. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const textOf = (file: string) => readFileSync(join(src, file), 'utf8');

/** The room a file stands in: its folder, or its own name for the few files beside the folders. */
const roomOf = (file: string) => file.split('/')[0] ?? '';

const decided = ['contract', 'domain', 'ports'];
const implementations = ['agent', 'clock', 'courier', 'place', 'push', 'store'];

/** Each room, and the rooms it may look into beside its own. */
const mayImport: Record<string, readonly string[]> = {
  contract: [],
  domain: ['contract'],
  ports: ['contract', 'domain'],
  ...Object.fromEntries(implementations.map((room) => [room, [...decided, 'errno.ts']])),
  runtime: [...decided, 'errno.ts'],
  http: [...decided, 'runtime', 'errno.ts'],
  client: ['contract'],
  cli: ['contract', 'client', 'host-note.ts', 'errno.ts'],
  'errno.ts': [],
  'host-note.ts': [],
  'version.ts': [],
  'index.ts': ['contract', 'client'],
  host: [...decided, ...implementations, 'runtime', 'http', 'host-note.ts', 'errno.ts', 'version.ts'],
  'command-line.ts': ['cli', 'host', 'version.ts'],
  'rouse.ts': ['command-line.ts'],
};

/** The subjects of a layer, each of which may look into those before it. What stands beside them serves all. */
const subjects: Record<string, readonly string[]> = {
  domain: ['process', 'output', 'notice', 'session', 'approval', 'people'],
  runtime: ['output', 'notice', 'process', 'session', 'people'],
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
    expect(files.filter((file) => !Object.hasOwn(mayImport, roomOf(file)))).toEqual([]);
  });

  test.each(Object.entries(subjects))('the subjects of %s look only into those before them', (layer, order) => {
    const isInSubject = (file: string) => file.split('/').length > 2;
    const placeOf = (file: string) => (isInSubject(file) ? order.indexOf(file.split('/')[1] ?? '') : -1);
    const inside = files.filter((file) => roomOf(file) === layer);
    const strangers = inside.filter((file) => isInSubject(file) && placeOf(file) < 0);
    const upwards = inside.flatMap((file) =>
      importsOf(file)
        .filter((target) => roomOf(target) === layer && placeOf(target) > placeOf(file))
        .map((target) => `${file} → ${target}`),
    );
    expect([...strangers, ...upwards]).toEqual([]);
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

  test('only the clock, the programs of callers and the client that resumes read a clock or set a timer', () => {
    const free = (file: string) =>
      ['clock', 'cli', 'rouse.ts', 'command-line.ts'].includes(roomOf(file)) ||
      ['host/doctor/doctor.ts', 'client/resume.ts'].includes(file);
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

test('a path of the interface stands only in the list of routes', () => {
  const path = /\/api\/|\/healthz|\/metrics/;
  const texts = [
    ...files.filter((file) => file !== 'contract/routes.ts').map((file) => [file, textOf(file)] as const),
    ...pageFiles.map((file) => [file, pageText(file)] as const),
  ];
  expect(texts.filter(([, text]) => path.test(text)).map(([file]) => file)).toEqual([]);
});

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
