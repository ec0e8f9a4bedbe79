/**
 * A tool of an MCP server, as one of ours. Everything that the server says is data from outside: made readable,
 * redacted, cut, and fenced like the output of a process (N10).
 */
import type { CallToolResult, Client, Tool as Offered } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { shortened } from '../../../domain/output/excerpt.js';
import { fenced } from '../../../domain/notice/notice-block.js';
import { readable } from '../../../domain/output/text.js';
import { answered, failed, whatIsWrong, type Tool } from './tool.js';
import { objection, type ApprovalParts } from './approval.js';

const DESCRIPTION_CHARACTERS = 2_000;
const SCHEMA_CHARACTERS = 20_000;
const RESULT_CHARACTERS = 30_000;
const ERROR_CHARACTERS = 500;
/** What every provider takes for a name. */
const NAME_CHARACTERS = 64;

const Arguments = z.looseObject({});

/** What the server says about its tool. It is trusted, because a person configured the server. */
export type McpTool = Tool & { readonly reads: boolean; readonly destroys: boolean };

export function mcpTool(
  server: string,
  client: Client,
  offered: Offered,
  callMs: number,
  redact: (text: string) => string,
): McpTool {
  const name = `${server}__${offered.name}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, NAME_CHARACTERS);
  const shown = (text: string, characters: number) => fenced(cut(redact(readable(text)), characters));
  const said = (how: string, text: string, characters: number) =>
    [`${name} ${how}:`, ...shown(text, characters)].join('\n');
  const about = shown(offered.description ?? offered.title ?? offered.name, DESCRIPTION_CHARACTERS);
  const description = [`A tool of the MCP server ${server}, which says about it:`, ...about].join('\n');
  return {
    shape: { name, description, schema: boundedSchema(offered.inputSchema) },
    reads: offered.annotations?.readOnlyHint === true,
    destroys: offered.annotations?.destructiveHint === true,
    run: async (input, { signal }) => {
      const checked = Arguments.safeParse(input);
      if (!checked.success) return failed(whatIsWrong(name, input, checked.error));
      try {
        const call = { name: offered.name, arguments: checked.data };
        const result = await client.callTool(call, { signal, timeout: callMs, maxTotalTimeout: callMs });
        return result.isError
          ? failed(said('failed', textOf(result), RESULT_CHARACTERS))
          : answered(said('answered', textOf(result), RESULT_CHARACTERS));
      } catch (error) {
        // The server died, hangs, or sent nonsense.
        return failed(said('gave no answer', messageOf(error), ERROR_CHARACTERS));
      }
    },
  };
}

/** The same tool behind the approval policy. What only reads is not asked about. */
export const approved = (offered: McpTool, approval: ApprovalParts): Tool =>
  offered.reads
    ? offered
    : {
        shape: offered.shape,
        run: async (input, context) => {
          const command = `${offered.shape.name} ${JSON.stringify(input, undefined, 2)}`;
          const whyRisky = () => (offered.destroys ? 'its server says that it may destroy something' : undefined);
          const act = { kind: 'tool', command, cwd: approval.homes.home, place: 'local', whyRisky } as const;
          const objected = await objection(act, context, approval);
          return objected ? failed(objected) : offered.run(input, context);
        },
      };

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

/** Every request to the model contains the schema: one that is too large is omitted, and the server checks the input. */
const boundedSchema = (schema: Offered['inputSchema']): Offered['inputSchema'] =>
  JSON.stringify(schema).length <= SCHEMA_CHARACTERS ? schema : { type: 'object' };

const cut = (text: string, characters: number): string =>
  text.length <= characters ? text : `${shortened(text, characters)}\n(cut: there are ${text.length} characters)`;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
