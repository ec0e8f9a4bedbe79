/** All that the agent of a turn may call, by name. */
import type { ToolCall, ToolShape } from '../../../ports/agent.js';
import { printable } from '../../../contract/words.js';
import { shortened } from '../../../domain/output/excerpt.js';
import type { Tool, ToolContext, ToolOutcome } from '../tool.js';
import { failed } from './made.js';

export class Toolbox {
  readonly #byName: ReadonlyMap<string, Tool>;

  /** Of two tools with one name, the first has it. */
  constructor(tools: readonly Tool[]) {
    this.#byName = new Map(tools.toReversed().map((tool) => [tool.shape.name, tool]));
  }

  /** In the order of their names, so that a provider may keep what it has seen of them. */
  shapes(): readonly ToolShape[] {
    return [...this.#byName.values()]
      .map((tool) => tool.shape)
      .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  async run({ tool: name, input }: ToolCall, context: ToolContext): Promise<ToolOutcome> {
    if (context.signal.aborted) return failed('The turn is over: nothing was done.');
    const tool = this.#byName.get(name);
    return tool ? tool.run(input, context) : failed(this.#unknown(name));
  }

  isRepeatable(name: string): boolean {
    return this.#byName.get(name)?.repeatable ?? false;
  }

  #unknown(name: string): string {
    const known = this.shapes().map((shape) => shape.name);
    return `There is no tool "${shortened(printable(name), 60)}". Known: ${known.join(', ')}.`;
  }
}
