/** Asks a person a question. */
import { z } from 'zod';
import { answered, tool, type Tool } from './tool.js';

const DESCRIPTION = [
  'Asks a person, and waits for the answer. Use it when you cannot continue without a decision that only a person can make.',
  'If no answer comes in time, the result says so.',
].join('\n');

const Input = z.strictObject({
  question: z
    .string()
    .trim()
    .min(1, 'it is empty')
    .max(4_000, 'it is longer than 4,000 characters')
    .describe('In whole sentences: the person sees nothing else.'),
  choices: z
    .array(z.string().trim().min(1).max(200))
    .max(10)
    .default([])
    .describe('Answers to choose from. The person may answer something else.'),
});

export const clarifyTool = (): Tool => ({
  ...tool('clarify', DESCRIPTION, Input, async ({ question, choices }, { ask }) => {
    const answer = await ask({ text: question, ...(choices.length > 0 && { choices }), about: { kind: 'clarify' } });
    return answered(answer.by === 'timeout' ? NO_ANSWER : `A person answered: ${answer.text}`);
  }),
  repeatable: true,
});

const NO_ANSWER =
  'No answer came in time. Continue without it if that can be undone, or stop here and say what you need to know.';
