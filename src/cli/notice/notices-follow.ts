/**
 * Notices as they come and change, whatever becomes of the host meanwhile.
 *
 *   1. What is owed comes first, then every change; nothing between the two is left out, and nothing comes twice.
 *   2. The number of the last change is ours, not the connection's: another host goes on from there.
 *   3. What a session's policy keeps from people is not shown.
 */
import type { NoticeView } from '../../contract/notice.js';
import { hostOf } from '../host/background.js';
import { answer, type Caller } from '../caller.js';
import { coloursOf, NOTICE_COLOURS } from '../print/colours.js';
import { Line } from '../host/line.js';
import { filterOf, type NoticeOptions } from './notice-filter.js';
import { oneLine, pad } from '../print/printable.js';
import { INTERRUPTED, onSignal } from '../signals.js';

export async function followNotices(caller: Caller, options: NoticeOptions): Promise<number> {
  const interrupted = new AbortController();
  using _ = onSignal(['SIGINT'], () => interrupted.abort());
  await hostOf(caller);
  const { signal } = interrupted;
  const line = new Line(caller, signal);
  const wanted = { ...options, ...(await wholeIds(line, options)) };
  for await (const notice of changes(line, wanted, signal))
    if (notice.people && isWanted(notice, wanted)) answer(caller, shown(caller, notice, options.json ?? false));
  return INTERRUPTED;
}

/** What was typed may be the beginning of more than one later on. */
async function wholeIds({ client }: Line, { session, process }: NoticeOptions) {
  return {
    ...(session !== undefined && { session: (await client.session(session)).session.id }),
    ...(process !== undefined && { process: (await client.process(process)).process.id }),
  };
}

const isWanted = (notice: NoticeView, { process, state }: NoticeOptions): boolean =>
  (process === undefined || notice.process === process) && (state === undefined || notice.state === state);

async function* changes(line: Line, options: NoticeOptions, signal: AbortSignal): AsyncGenerator<NoticeView> {
  const { session } = options;
  for (let after: number | undefined; !signal.aborted;) {
    try {
      const from = { ...(session !== undefined && { session }), ...(after !== undefined && { after }) };
      for await (const event of line.client.events({ ...from, signal })) {
        // The first says where the stream begins; what was admitted since then and is owed comes again in the stream.
        if (event.kind === 'heartbeat' && after === undefined) {
          for (const notice of await owed(line, options)) if (notice.seq <= event.seq) yield notice;
        }
        if (event.kind === 'notice') yield event.notice;
        if ('seq' in event) after = event.seq;
        if (event.kind === 'reset') after = event.head;
      }
    } catch (error) {
      if (!signal.aborted) await line.restore(error);
    }
  }
}

/** The oldest first, as they would have come. */
const owed = async ({ client }: Line, options: NoticeOptions): Promise<readonly NoticeView[]> =>
  (await client.notices({ ...filterOf(options), state: 'pending', limit: options.limit })).toReversed();

function shown(caller: Caller, notice: NoticeView, json: boolean): string {
  if (json) return JSON.stringify({ notice });
  const { id, state, line, reason, at, settledAt } = notice;
  const colours = coloursOf(caller);
  const time = new Date(settledAt ?? at).toTimeString().slice(0, 'HH:MM:SS'.length);
  const why = reason === undefined ? '' : colours.dim(` · ${oneLine(reason)}`);
  return `${colours.dim(time)}  ${id}  ${colours[NOTICE_COLOURS[state]](pad(state, WIDEST))}  ${line}${why}`;
}

const WIDEST = Math.max(...Object.keys(NOTICE_COLOURS).map(({ length }) => length));
