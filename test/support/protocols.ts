/** One scripted answer in the streaming protocols that providers speak. */

export type Script = {
  readonly reasoning?: readonly string[];
  readonly text?: readonly string[];
  readonly calls?: readonly ScriptedCall[];
  /** The model had to stop for want of tokens. */
  readonly cut?: boolean;
};

/** The arguments come in these pieces, which need not be JSON. */
export type ScriptedCall = { readonly id: string; readonly tool: string; readonly input: readonly string[] };

export type Protocol = (script: Script) => string;

const event = (data: object | string, name?: string): string =>
  `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

const SEALED = 'c2VhbGVk';

/** OpenAI's chat completions, as everybody speaks them. The pieces of parallel calls come mixed. */
export const chatCompletions: Protocol = ({ reasoning = [], text = [], calls = [], cut }) => {
  const chunk = (delta: object, finish: string | null = null) =>
    event({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const begun = calls.map(({ id, tool }, index) =>
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name: tool, arguments: '' } }] }),
  );
  const longest = Math.max(0, ...calls.map(({ input }) => input.length));
  const pieces = Array.from({ length: longest }, (_, at) =>
    calls.map(({ input }, index) =>
      input[at] === undefined ? '' : chunk({ tool_calls: [{ index, function: { arguments: input[at] } }] }),
    ),
  );
  return [
    chunk({ role: 'assistant', content: '' }),
    ...reasoning.map((piece) => chunk({ reasoning_content: piece })),
    ...text.map((content) => chunk({ content })),
    ...begun,
    ...pieces.flat(),
    chunk({}, cut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'),
    event({
      id: 'chatcmpl-1',
      choices: [],
      usage: { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 40 } },
    }),
    event('[DONE]'),
  ].join('');
};

/** OpenAI's Responses. */
export const responses: Protocol = ({ reasoning = [], text = [], calls = [], cut }) => {
  const said = (type: string, data: object) => event({ type, ...data }, type);
  const item = (index: number, added: object, pieces: string, done: object) =>
    said('response.output_item.added', { output_index: index, item: added }) +
    pieces +
    said('response.output_item.done', { output_index: index, item: done });
  const thinking = { type: 'reasoning', id: 'rs_1', summary: [] };
  const summary = { item_id: 'rs_1', output_index: 0, summary_index: 0 };
  const reasoned = item(
    0,
    { ...thinking, encrypted_content: null },
    said('response.reasoning_summary_part.added', summary) +
      reasoning.map((delta) => said('response.reasoning_summary_text.delta', { ...summary, delta })).join(''),
    { ...thinking, encrypted_content: SEALED },
  );
  const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [] };
  const written = text.map((delta) =>
    said('response.output_text.delta', { item_id: 'msg_1', output_index: 1, content_index: 0, delta }),
  );
  const called = calls.map(({ id, tool, input }, at) => {
    const call = { type: 'function_call', id: `fc_${id}`, call_id: id, name: tool };
    const pieces = input.map((delta) =>
      said('response.function_call_arguments.delta', { item_id: call.id, output_index: at + 2, delta }),
    );
    return item(at + 2, { ...call, arguments: '' }, pieces.join(''), {
      ...call,
      arguments: input.join(''),
      status: 'completed',
    });
  });
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 40 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
  };
  return [
    said('response.created', { response: { id: 'resp_1', created_at: 1, model: 'm' } }),
    ...(reasoning.length > 0 ? [reasoned] : []),
    ...(text.length > 0 ? [item(1, message, written.join(''), message)] : []),
    ...called,
    cut
      ? said('response.incomplete', { response: { incomplete_details: { reason: 'max_output_tokens' }, usage } })
      : said('response.completed', { response: { usage } }),
  ].join('');
};

/** Anthropic's messages. */
export const messages: Protocol = ({ reasoning = [], text = [], calls = [], cut }) => {
  const said = (type: string, data: object = {}) => event({ type, ...data }, type);
  let index = 0;
  const block = (start: object, deltas: readonly object[]) => {
    const at = { index: index++ };
    return (
      said('content_block_start', { ...at, content_block: start }) +
      deltas.map((delta) => said('content_block_delta', { ...at, delta })).join('') +
      said('content_block_stop', at)
    );
  };
  const thinking = [
    ...reasoning.map((piece) => ({ type: 'thinking_delta', thinking: piece })),
    { type: 'signature_delta', signature: SEALED },
  ];
  const usage = { input_tokens: 60, cache_read_input_tokens: 40, output_tokens: 1 };
  return [
    said('message_start', {
      message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage },
    }),
    said('ping'),
    ...(reasoning.length > 0 ? [block({ type: 'thinking', thinking: '', signature: '' }, thinking)] : []),
    ...(text.length > 0
      ? [
          block(
            { type: 'text', text: '' },
            text.map((piece) => ({ type: 'text_delta', text: piece })),
          ),
        ]
      : []),
    ...calls.map(({ id, tool, input }) =>
      block(
        { type: 'tool_use', id, name: tool, input: {} },
        input.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
      ),
    ),
    said('message_delta', {
      delta: { stop_reason: cut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 20 },
    }),
    said('message_stop'),
  ].join('');
};
