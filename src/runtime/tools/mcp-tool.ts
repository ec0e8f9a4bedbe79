/** A tool of an MCP server, as one of ours. */
import type { CallToolResult, Client, Tool as Offered } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { printable } from '../../contract/words.js';
import { shortened } from '../../domain/excerpt.js';
import { readable } from '../../domain/text.js';
import type { Tool } from '../tool.js';
import { answered, failed, whatIsWrong } from './made.js';

const DESCRIPTION_CHARACTERS = 2_000;
const RESULT_CHARACTERS = 30_000;
/** What every provider takes for a name. */
const NAME_CHARACTERS = 64;

const Arguments = z.looseObject({});

export function mcpTool(
  server: string,
  client: Client,
  offered: Offered,
  callMs: number,
  redact: (text: string) => string,
): Tool {
  const name = `${server}__${offered.name}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, NAME_CHARACTERS);
  const description = shortened(readable(offered.description ?? offered.title ?? offered.name), DESCRIPTION_CHARACTERS);
  const shown = (text: string) => redact(readable(text));
  return {
    shape: { name, description, schema: offered.inputSchema },
    run: async (input, { signal }) => {
      const checked = Arguments.safeParse(input);
      if (!checked.success) return failed(whatIsWrong(name, input, checked.error));
      try {
        const call = { name: offered.name, arguments: checked.data };
        const result = await client.callTool(call, { signal, timeout: callMs, maxTotalTimeout: callMs });
        const text = cut(shown(textOf(result)));
        return result.isError ? failed(text) : answered(text);
      } catch (error) {
        // Whatever came of it came from the server: it has died, it hangs, or it speaks nonsense.
        return failed(`${name} gave no answer: ${shortened(printable(shown(messageOf(error))), 500)}`);
      }
    },
  };
}

function textOf({ content, structuredContent }: CallToolResult): string {
  const parts = content.map(partInWords);
  return parts.length > 0 ? parts.join('\n') : JSON.stringify(structuredContent ?? {});
}

function partInWords(part: CallToolResult['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'audio':
      return `[${part.type}, ${part.mimeType}, which cannot be shown here]`;
    case 'resource_link':
      return `[resource ${part.uri}]`;
    case 'resource':
      return 'text' in part.resource ? part.resource.text : `[resource ${part.resource.uri}, which is not text]`;
  }
}

const cut = (text: string): string =>
  text.length <= RESULT_CHARACTERS
    ? text
    : `${shortened(text, RESULT_CHARACTERS)}\n(cut: the answer has ${text.length} characters)`;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
