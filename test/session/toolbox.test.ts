import { expect, test } from 'vitest';
import { z } from 'zod';
import { clarifyTool } from '../../src/runtime/session/tools/clarify.js';
import { answered, tool } from '../../src/runtime/session/tools/tool.js';
import { Toolbox } from '../../src/runtime/session/tools/toolbox.js';
import { fakeTurn, nobody, person } from '../support/tool-stage.js';

const echo = (name: string, says = name) => {
  const input = z.strictObject({ text: z.string().optional() });
  return tool(name, 'Says it.', input, async ({ text }) => answered(text ?? says));
};
const call = (name: string, input: unknown = {}) => ({ id: 'call_1', tool: name, input });

test('shows its tools in the order of their names, whatever order they came in', () => {
  const shapes = new Toolbox([echo('b'), echo('c'), echo('a')]).shapes();
  expect(shapes.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(shapes[0]?.schema).toEqual({
    type: 'object',
    properties: { text: { type: 'string' } },
    additionalProperties: false,
  });
});

test('runs the tool that is named', async () => {
  const box = new Toolbox([echo('a'), echo('b')]);
  expect(await box.run(call('b', { text: 'hello' }), fakeTurn().context)).toEqual(answered('hello'));
});

test('lets nobody take the name of a tool that is there', async () => {
  const box = new Toolbox([echo('a', 'first'), echo('a', 'second')]);
  expect(box.shapes()).toHaveLength(1);
  expect(await box.run(call('a'), fakeTurn().context)).toMatchObject({ result: 'first' });
});

test('answers for an unknown tool with the known ones', async () => {
  const outcome = await new Toolbox([echo('b'), echo('a')]).run(call('x'.repeat(10_000_000)), fakeTurn().context);
  expect(outcome).toMatchObject({ failed: true });
  expect(outcome.result).toMatch(/^There is no tool "x+…"\. Known: a, b\.$/);
  expect(outcome.result.length).toBeLessThan(200);
});

test('says of text that was not JSON that it is none', async () => {
  const outcome = await new Toolbox([echo('a')]).run(call('a', '{"text": '), fakeTurn().context);
  expect(outcome).toMatchObject({ failed: true });
  expect(outcome.result).toContain('plain text and not JSON');
});

test('13 runs nothing any more once the turn is over', async () => {
  const turn = fakeTurn();
  turn.end();
  expect(await new Toolbox([echo('a')]).run(call('a'), turn.context)).toMatchObject({ failed: true });
});

test('T11 clarify asks a person and tells the answer', async () => {
  const turn = fakeTurn([person('the blue one')]);
  const question = { question: 'Which one?', choices: ['red', 'blue'] };
  const outcome = await clarifyTool().run(question, turn.context);
  expect(turn.asked).toEqual([{ text: 'Which one?', choices: ['red', 'blue'], about: { kind: 'clarify' } }]);
  expect(outcome).toEqual(answered('A person answered: the blue one'));
});

test('T11 clarify tells that no answer came in time', async () => {
  const outcome = await clarifyTool().run({ question: 'Which one?' }, fakeTurn([nobody]).context);
  expect(outcome).toMatchObject({ failed: false });
  expect(outcome.result).toMatch(/^No answer came in time/);
});

test.each([{}, { question: ' ' }, { question: 'Which?', choices: 'red' }, { question: 'Which?', to: 'me' }])(
  'clarify refuses %o and asks nobody',
  async (input) => {
    expect(await clarifyTool().run(input, fakeTurn().context)).toMatchObject({ failed: true });
  },
);
