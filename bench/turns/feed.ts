/** All that changes on a host, as a screen sees it. */
import { streamEvents, type StreamEvent } from '../../src/client/stream.js';
import { nowMs } from '../peer.js';
import type { RouseField } from '../rouse.js';

type Seen = { readonly session: string; readonly what: 'words' | 'end' };
type Body = { entry?: { session: string; kind: string }; session?: string; kind?: string; of?: string };

export class Feed implements Disposable {
  readonly #over = new AbortController();
  readonly #asked = new Map<string, (at: number) => void>();

  /** Over when the host has said that it sends. */
  static async of(field: RouseField): Promise<Feed> {
    const feed = new Feed();
    const response = await fetch(`${field.url}/api/events`, {
      headers: { authorization: `Bearer ${field.token}` },
      signal: feed.#over.signal,
    });
    const stream = streamEvents(response.body as AsyncIterable<Uint8Array>);
    await stream.next();
    void feed.#read(stream);
    return feed;
  }

  /** The moment at which the next words of the agent are here, be it as they come or as an entry. */
  words(session: string): Promise<number> {
    return this.#next({ session, what: 'words' });
  }

  /** The moment at which the end of the next turn to end is here. */
  end(session: string): Promise<number> {
    return this.#next({ session, what: 'end' });
  }

  [Symbol.dispose](): void {
    this.#over.abort();
  }

  #next({ session, what }: Seen): Promise<number> {
    return new Promise((resolve) => this.#asked.set(`${what} ${session}`, resolve));
  }

  async #read(stream: AsyncGenerator<StreamEvent>): Promise<void> {
    try {
      for await (const { data } of stream) this.#see(seenIn(data as Body));
    } catch (error) {
      if (!this.#over.signal.aborted) throw error;
    }
  }

  #see(seen: Seen | undefined): void {
    if (!seen) return;
    const key = `${seen.what} ${seen.session}`;
    this.#asked.get(key)?.(nowMs());
    this.#asked.delete(key);
  }
}

function seenIn({ entry, session, kind, of }: Body): Seen | undefined {
  if (entry?.kind === 'text') return { session: entry.session, what: 'words' };
  if (entry?.kind === 'turnEnded') return { session: entry.session, what: 'end' };
  return session && kind === 'delta' && of === 'text' ? { session, what: 'words' } : undefined;
}
