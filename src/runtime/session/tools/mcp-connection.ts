/** The connection to an MCP server: a program that we start, or an address. */
import type { Readable } from 'node:stream';
import type { Client, Tool as Offered, Transport } from '@modelcontextprotocol/client';
import { redirected } from '../../../domain/session/redirect.js';

/** As configured. */
export type McpServerSettings =
  | {
      readonly command: string;
      readonly args?: readonly string[] | undefined;
      /** Added to a few harmless variables of ours; nothing else of our environment is passed on. */
      readonly env?: Readonly<Record<string, string>> | undefined;
      readonly cwd?: string | undefined;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined };

/** How much of a program's stderr is kept, to be reported when it fails. */
const SAID_CHARACTERS = 500;

export class McpConnection {
  #said = '';

  private constructor(
    readonly client: Client,
    readonly transport: Transport,
    errors: Readable | undefined,
  ) {
    errors?.on('data', (chunk: Buffer) => (this.#said = (this.#said + chunk.toString()).slice(-SAID_CHARACTERS)));
  }

  /** Starts nothing yet. The library is loaded with the first server. */
  static async to(settings: McpServerSettings, version: string): Promise<McpConnection> {
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const self = { name: 'rouse', version };
    if ('url' in settings) {
      const transport = new StreamableHTTPClientTransport(new URL(settings.url), {
        requestInit: { headers: { ...settings.headers } },
        fetch: fetchHere,
      });
      return new McpConnection(new Client(self, { versionNegotiation: { mode: 'auto' } }), transport, undefined);
    }
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
    const { command, args = [], env = {}, cwd } = settings;
    const stdio = new StdioClientTransport({ command, args: [...args], env, stderr: 'pipe', ...(cwd && { cwd }) });
    return new McpConnection(new Client(self), stdio, stdio.stderr as Readable | undefined);
  }

  /** The end of the program's stderr. */
  get said(): string {
    return this.#said.trim();
  }

  async open(withinMs: number): Promise<readonly Offered[]> {
    await this.client.connect(this.transport, { timeout: withinMs });
    return (await this.client.listTools(undefined, { timeout: withinMs })).tools;
  }

  /** Ends the input of the program, then the program. */
  close(): Promise<void> {
    return this.transport.close();
  }
}

/** The headers of the configuration are for this server alone. */
const fetchHere: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  const elsewhere = redirected(response);
  if (elsewhere === undefined) return response;
  await response.body?.cancel();
  throw new Error(elsewhere);
};
