/** Making a tool: what the model may give it is one schema, and what it may not give is told in a sentence. */
import { z } from 'zod';
import { printable } from '../../../contract/words.js';
import { shortened } from '../../../domain/output/excerpt.js';
import type { Tool, ToolContext, ToolOutcome } from '../tool.js';

type About = Pick<ToolOutcome, 'process' | 'consumes'>;

export const answered = (lines: string | readonly string[], about: About = {}): ToolOutcome => ({
  result: typeof lines === 'string' ? lines : lines.join('\n'),
  failed: false,
  ...about,
});

export const failed = (why: string, about: About = {}): ToolOutcome => ({ result: why, failed: true, ...about });

export function tool<Schema extends z.ZodObject>(
  name: string,
  description: string,
  schema: Schema,
  run: (input: z.output<Schema>, context: ToolContext) => Promise<ToolOutcome>,
): Tool {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return {
    shape: { name, description, schema: shape },
    run: async (input, context) => {
      const checked = schema.safeParse(input);
      return checked.success ? run(checked.data, context) : failed(whatIsWrong(name, input, checked.error));
    },
  };
}

const REASONS = 5;
const REASON_CHARACTERS = 200;

/** Short, however long the input is: names and values in it are the model's. */
export function whatIsWrong(name: string, input: unknown, { issues }: z.ZodError): string {
  if (typeof input === 'string')
    return `${name} was not run: its input is plain text and not JSON. Give one JSON object.`;
  const reasons = issues
    .slice(0, REASONS)
    .map(({ path, message }) => shortened(printable([...path.map(String), message].join(': ')), REASON_CHARACTERS));
  const more = issues.length > REASONS ? ` (and ${issues.length - REASONS} more)` : '';
  return `${name} was not run, because its input is wrong: ${reasons.join('; ')}${more}.`;
}
