/**
 * Holds the machines of `domain/` to what runs: every input has a sender outside the machine, and every effect a
 * performer. A machine is a file that exports `step`; its inputs and effects are the unions `…Input` and `…Effect`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const texts = new Map(
  files.map((file) => [file, readFileSync(join(src, file), 'utf8').replace(/\/\*\*.*?\*\//gs, '')]),
);
const textOf = (file: string) => texts.get(file) ?? '';

const importsOf = (file: string): readonly string[] =>
  [...textOf(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    relative(src, resolve(src, dirname(file), path)).replace(/\.js$/, '.ts'),
  );

/** Every file that imports the target, directly or not: only these can send to a machine or perform for it. */
function usersOf(target: string): readonly string[] {
  const users = new Set([target]);
  for (let before = 0; before < users.size;) {
    before = users.size;
    for (const file of files) if (importsOf(file).some((imported) => users.has(imported))) users.add(file);
  }
  return [...users];
}

type Union = { readonly file: string; readonly kinds: readonly string[] };

/** The members of a union of objects that a file declares, by their `kind`. */
function unionIn(file: string, name: 'Input' | 'Effect'): Union | undefined {
  const [, body] = new RegExp(`export type \\w*${name} =([^;]*;(?:[^;]*;)*?)\\n(?:\\n|$)`).exec(textOf(file)) ?? [];
  const kinds = [...(body ?? '').matchAll(/\|?\s*\{\s*readonly kind: '(\w+)'/g)].map(([, kind = '']) => kind);
  return body === undefined ? undefined : { file, kinds: [...new Set(kinds)] };
}

const unionOf = (machine: string, name: 'Input' | 'Effect'): Union =>
  [machine, ...importsOf(machine)].map((file) => unionIn(file, name)).find((union) => union !== undefined) ?? {
    file: machine,
    kinds: [],
  };

const machines = files.filter(
  (file) => file.startsWith('domain/') && /export (?:function|const) step\b/.test(textOf(file)),
);

/** `{ kind: 'x' }`, also as one of two: `{ kind: closed ? 'x' : 'y' }`. */
const sends = (text: string, kind: string) =>
  new RegExp(`(?<!readonly )\\bkind: (?:[^,}]*\\? )?(?:'\\w+' : )?'${kind}'`).test(text);

/** A case that does something, or a comparison. */
const performs = (text: string, kind: string) =>
  new RegExp(`kind === '${kind}'|case '${kind}':(?!\\s*(?:case '\\w+':\\s*)*(?:return(?: \\[\\])?|break);)`).test(text);

describe.each(machines)('%s', (machine) => {
  const [inputs, effects] = [unionOf(machine, 'Input'), unionOf(machine, 'Effect')];
  const users = usersOf(machine);
  const senders = users.filter((file) => ![machine, inputs.file].includes(file));
  const without = (kinds: readonly string[], where: readonly string[], does: (text: string, kind: string) => boolean) =>
    kinds.filter((kind) => !where.some((file) => does(textOf(file), kind)));

  test('has inputs and effects', () => {
    expect([inputs.kinds.length > 0, effects.kinds.length > 0]).toEqual([true, true]);
  });

  test('has a sender for every input', () => {
    expect(without(inputs.kinds, senders, sends)).toEqual([]);
  });

  test('has a performer for every effect', () => {
    expect(without(effects.kinds, users, performs)).toEqual([]);
  });
});

test('the machines are the ones that run', () => {
  expect(machines.toSorted()).toEqual([
    'domain/notice/breaker.ts',
    'domain/notice/watch.ts',
    'domain/process/process.ts',
    'domain/session/admission.ts',
  ]);
});
