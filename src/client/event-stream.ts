/** Reads Server-Sent Events whose data is JSON. */
export type StreamEvent = { readonly event: string; readonly id?: string; readonly data: unknown };

export async function* events(response: Response): AsyncGenerator<StreamEvent> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) yield parsed(block);
  }
}

function parsed(block: string): StreamEvent {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]),
  );
  const id = fields.get('id');
  return {
    event: fields.get('event') ?? 'message',
    ...(id !== undefined && { id }),
    data: JSON.parse(fields.get('data') ?? 'null') as unknown,
  };
}
