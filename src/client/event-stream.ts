/** Reads Server-Sent Events whose data is JSON. */
export type StreamEvent = { readonly event: string; readonly id?: string; readonly data: unknown };

export async function* events(response: Response): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks(response)) {
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

/** The body as it comes. Not every browser can walk over a stream by itself. */
export async function* chunks({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value as Uint8Array;
  } finally {
    // Whoever stops listening lets go of the connection; one that is cut already has nothing to let go of.
    await reader.cancel().catch(() => undefined);
  }
}
