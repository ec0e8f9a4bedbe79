/** What a tool is, and how one is made: its input is checked against one schema, and bad input is an outcome. */
import { z } from 'zod';
import type { ProcessId, SessionId, TurnId } from '../../../contract/ids.js';
import type { QuestionAbout } from '../../../contract/journal.js';
import type { Answer } from '../../../domain/session/open-question.js';
import type { ToolShape } from '../../../ports/agent.js';
import { printable } from '../../../contract/display.js';
import { shortened } from '../../../domain/output/excerpt.js';

/** Whose call it is. Fixed when the turn begins. */
export type Caller = { readonly session: SessionId; readonly turn: TurnId; readonly generation: number };

export type ToolContext = {
  readonly caller: Caller;
  /** Aborted when the turn is over: then the result of this call is not stored. */
  readonly signal: AbortSignal;
  /** Aborted when a person sends a message while the turn runs: a tool that only waits should return. */
  readonly spoken: AbortSignal;
  /** Asks a person and waits for the answer; `timeout` when none came in time. */
  readonly ask: (question: Question) => Promise<Answer>;
  /** A person was asked before the host was restarted: the call asks again and gets that answer, whatever has changed. */
  readonly askedBefore: boolean;
  /** The id for a process of this call if a person was asked: with one id it starts once, across restarts too. */
  readonly processId: () => ProcessId | undefined;
};

export type Question = {
  readonly text: string;
  readonly choices?: readonly string[];
  readonly about: QuestionAbout;
};

export type ToolOutcome = {
  readonly result: string;
  readonly failed: boolean;
  readonly process?: ProcessId;
  /** The result shows the end of this process: stored together with it, the completion is consumed. */
  readonly consumes?: { readonly process: ProcessId; readonly how: string };
};

export interface Tool {
  readonly shape: ToolShape;
  /** Never throws for bad input: that is an outcome that says what is wrong. */
  run(input: unknown, context: ToolContext): Promise<ToolOutcome>;
  /** After a restart it may run again with the same answers without acting twice. */
  readonly repeatable?: true;
}

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
  let derived: ToolShape['schema'] | undefined;
  return {
    shape: {
      name,
      description,
      /** Derived for the first turn, not at every start of a host. */
      get schema() {
        return (derived ??= jsonSchema(schema));
      },
    },
    run: async (input, context) => {
      const checked = schema.safeParse(input);
      return checked.success ? run(checked.data, context) : failed(whatIsWrong(name, input, checked.error));
    },
  };
}

function jsonSchema(schema: z.ZodObject): ToolShape['schema'] {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return shape;
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
