/** Talking to a session of a real host, and waiting for what becomes of it. */
import type { EntryView } from '../../src/contract/journal.js';
import type { NewSession } from '../../src/contract/session.js';
import type { TestHost } from './host.js';
import { until } from './until.js';

export class Talk {
  constructor(
    readonly host: TestHost,
    readonly id: string,
  ) {}

  static async begin(host: TestHost, wanted: NewSession = {}): Promise<Talk> {
    return new Talk(host, (await host.client.createSession(wanted)).session.id);
  }

  /** The same session on the host that took over. */
  on(host: TestHost): Talk {
    return new Talk(host, this.id);
  }

  say(text: string, mode: 'queue' | 'steer' | 'interrupt' = 'queue') {
    return this.host.client.send(this.id, text, { mode });
  }

  async entries(): Promise<readonly EntryView[]> {
    return this.host.client.entries(this.id, { limit: 5_000 });
  }

  async kinds(): Promise<readonly string[]> {
    return (await this.entries()).map(({ kind }) => kind);
  }

  /** What the agent said to its end, entry by entry. */
  async words(): Promise<readonly string[]> {
    return (await this.entries()).flatMap((entry) => (entry.kind === 'text' && !entry.cutOff ? [entry.text] : []));
  }

  async turns(): Promise<readonly Extract<EntryView, { kind: 'turnBegan' }>[]> {
    return (await this.entries()).filter((entry) => entry.kind === 'turnBegan');
  }

  async state(): Promise<string> {
    return (await this.host.client.session(this.id, { entries: 0 })).session.state;
  }

  /** Over when that many turns have ended and none runs. */
  async ended(count: number, deadlineMs?: number): Promise<readonly EntryView[]> {
    return until(
      `${count} turns of ${this.id} have ended`,
      async () => {
        if (!['idle', 'paused'].includes(await this.state())) return undefined;
        const entries = await this.entries();
        return entries.filter(({ kind }) => kind === 'turnEnded').length >= count && entries;
      },
      deadlineMs,
    );
  }

  /** Over when an entry of this kind is there; answers with the last of them. */
  async comes<Kind extends EntryView['kind']>(kind: Kind, count = 1): Promise<Extract<EntryView, { kind: Kind }>> {
    return until(`${count} of kind ${kind}`, async () => {
      const found = (await this.entries()).filter((entry) => entry.kind === kind);
      return found.length >= count && (found.at(-1) as Extract<EntryView, { kind: Kind }>);
    });
  }

  /** What every notice of the session has become. */
  async notices() {
    return (await this.host.client.notices({ session: this.id, limit: 5_000 })).toReversed();
  }
}
