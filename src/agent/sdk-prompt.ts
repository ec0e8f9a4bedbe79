/** Our messages and tools as the SDK wants them. */
import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolCallPart,
} from '@ai-sdk/provider';
import type { PromptMessage, ToolCall, ToolShape } from '../ports/agent.js';

type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'];

/** Anthropic keeps what stands before such a mark, and asks a tenth for it the next time. Others do not see it. */
const keepUpToHere = { anthropic: { cacheControl: { type: 'ephemeral' } } };

export function promptOf(provider: string, messages: readonly PromptMessage[]): LanguageModelV3Prompt {
  const opening = messages.findIndex((message) => message.role !== 'system');
  const rest = opening < 0 ? [] : messages.slice(opening);
  const system = messages.slice(0, opening < 0 ? messages.length : opening).map((message) => textOf(message));
  const prompt: LanguageModelV3Prompt = rest.flatMap((message) => messageOf(provider, message) ?? []);
  const last = prompt.pop();
  return [
    ...(system.length > 0 ? [{ ...systemOf(system.join('\n\n')), providerOptions: keepUpToHere }] : []),
    ...prompt,
    ...(last ? [{ ...last, providerOptions: keepUpToHere }] : []),
  ];
}

export const toolsOf = (tools: readonly ToolShape[]): LanguageModelV3FunctionTool[] =>
  tools.map(({ name, description, schema }) => ({ type: 'function', name, description, inputSchema: schema }));

const textOf = (message: PromptMessage): string => (message.role === 'tool' ? message.result : message.text);

const systemOf = (content: string): LanguageModelV3Message => ({ role: 'system', content });

const userOf = (text: string): LanguageModelV3Message => ({ role: 'user', content: [{ type: 'text', text }] });

/** Undefined for a message without content, which providers refuse. */
function messageOf(provider: string, message: PromptMessage): LanguageModelV3Message | undefined {
  switch (message.role) {
    // Not every provider takes a system message after the first other one.
    case 'system':
    case 'person':
    case 'notice':
      return message.text.trim() === '' ? undefined : userOf(message.text);
    case 'agent': {
      const content = keptContent(provider, message) ?? contentOf(message);
      return content.length === 0 ? undefined : { role: 'assistant', content };
    }
    case 'tool':
      return resultOf(message);
  }
}

type AgentMessage = Extract<PromptMessage, { role: 'agent' }>;

const keptContent = (provider: string, { kept }: AgentMessage): AssistantContent | undefined =>
  kept?.provider === provider ? (kept.content as AssistantContent) : undefined;

const contentOf = ({ text, reasoning, calls }: AgentMessage): AssistantContent => [
  ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
  ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]),
  ...calls.map(callPart),
];

/** Providers take nothing but an object back, not even where their model gave something else. */
export const callPart = ({ id, tool, input }: ToolCall): LanguageModelV3ToolCallPart => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: tool,
  input: typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { unreadable: input },
});

const resultOf = ({
  call,
  tool,
  result,
  failed,
}: Extract<PromptMessage, { role: 'tool' }>): LanguageModelV3Message => ({
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      toolCallId: call,
      toolName: tool,
      output: { type: failed ? 'error-text' : 'text', value: result },
    },
  ],
});
