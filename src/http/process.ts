/** Processes over HTTP. */
import type { Context } from 'hono';
import type { OutputPage } from '../contract/output.js';
import { isRefusal, refuse, type Refusal } from '../contract/refusal.js';
import type { routes } from '../contract/routes.js';
import { showsEnd } from '../domain/notice/settle.js';
import { iso, type Clock } from '../ports/clock.js';
import type { ProcessRecord, Store } from '../ports/store.js';
import type { Notices } from '../runtime/notice/notices.js';
import type { OutputReader } from '../runtime/output/output.js';
import type { Inputs } from '../runtime/process/inputs.js';
import type { Supervisor } from '../runtime/process/supervisor.js';
import { usageOfRunning, type Views } from '../runtime/process/view.js';
import { findProcess, findSession, ifGiven } from './find.js';
import { objectionTo, type Bindings } from './guard.js';
import type { Handlers } from './router.js';

export type ProcessParts = {
  readonly store: Store;
  readonly supervisor: Supervisor;
  readonly reader: OutputReader;
  readonly inputs: Inputs;
  readonly views: Views;
  readonly notices: Notices;
  readonly clock: Clock;
};

type AboutProcess = { readonly params: { readonly id: string }; readonly context: Context<Bindings> };
type AboutOwn = AboutProcess & { readonly body: { readonly session?: string | undefined } };
type Work<Extra> = (record: ProcessRecord) => Promise<Extra | Refusal>;

const LIST_LIMIT = 1_000;

export function processHandlers(parts: ProcessParts): Handlers<typeof routes.process> {
  const { store, supervisor, reader, inputs, views, notices, clock } = parts;

  /** Does the work on the process and shows it as it is afterwards. */
  const on = async <Extra extends object>({ params: { id } }: AboutProcess, work: Work<Extra>) => {
    const record = await findProcess(store, supervisor, id);
    if (isRefusal(record)) return record;
    const extra = await work(record);
    if (isRefusal(extra)) return extra;
    return { ...extra, process: await views.of((await supervisor.get(record.id)) ?? record) };
  };

  /** The same for work that changes it: a process may not change another that belongs to a session. */
  const change = (request: AboutProcess, work: Work<undefined>) =>
    on(
      request,
      async (record) => (record.session && objectionTo(request.context, 'processes')) || ((await work(record)) ?? {}),
    );

  /** The same for the session that owns it: it cannot see another session's process, and an end that it sees is consumed. */
  const onOwn = async <Extra extends object>(
    request: AboutOwn,
    how: string,
    work: Work<Extra>,
    pageOf: (extra: Extra) => OutputPage | undefined = () => undefined,
  ) => {
    const { session } = request.body;
    const objection = session === undefined ? undefined : objectionTo(request.context, 'processes');
    const owner = objection ?? (await ifGiven(session, (typed) => findSession(store, typed)));
    if (isRefusal(owner)) return owner;
    const answer = await on(request, async (record) =>
      owner && record.session !== owner.id
        ? refuse('not-found', `Session ${owner.id} has no process "${record.id}".`)
        : work(record),
    );
    // It may have written more and ended since the page was read.
    if (!isRefusal(answer) && owner && showsEnd(answer.process, pageOf(answer)))
      await notices.consume(answer.process.id, how);
    return answer;
  };

  const tailOf = async (record: ProcessRecord, lines: number | undefined) => {
    const tail = await ifGiven(lines, (given) => reader.lastLines(record, given));
    return tail && !isRefusal(tail) ? { tail } : {};
  };

  return {
    start: async ({ body, context }) => {
      const objection = body.session === undefined ? undefined : objectionTo(context, 'run');
      const session = objection ?? (await ifGiven(body.session, (typed) => findSession(store, typed)));
      if (isRefusal(session)) return session;
      const started = await supervisor.start({ ...body, session });
      if (isRefusal(started)) return started;
      return { process: await views.of(started.process), notes: [...started.notes] };
    },

    list: async ({ query: { session: typed, state, limit = LIST_LIMIT } }) => {
      const session = await ifGiven(typed, (given) => findSession(store, given));
      if (isRefusal(session)) return session;
      if (state === 'unreachable') return { processes: [] };
      const records = await store.processes.list({
        ...(session && { session: session.id }),
        ...(state && { state }),
        limit,
      });
      return { processes: await Promise.all(records.map((record) => views.of(record))) };
    },

    usage: async () => ({
      usage: [...(await usageOfRunning(supervisor))],
      at: iso(clock.now()),
    }),

    show: (request) => on(request, (record) => tailOf(record, request.query.tail)),

    poll: (request) => onOwn(request, 'poll', (record) => tailOf(record, request.body.tail)),

    log: (request) =>
      onOwn(
        request,
        'log',
        async (record) => {
          const output = await reader.page(record, request.body.query ?? {});
          return isRefusal(output) ? output : { output };
        },
        ({ output }) => output,
      ),

    wait: async (request) => {
      const answer = await onOwn(request, 'wait', async ({ id }) => {
        await supervisor.wait(id, request.body.timeoutMs, request.context.req.raw.signal);
        return {};
      });
      return isRefusal(answer)
        ? answer
        : { ...answer, outcome: answer.process.state === 'ended' ? 'ended' : 'running' };
    },

    kill: (request) =>
      onOwn(request, 'kill', async (record) => {
        const objection = record.session && objectionTo(request.context, 'processes');
        if (objection) return objection;
        const { session, signal = 'SIGTERM' } = request.body;
        const killed = await supervisor.kill(record.id, signal, session === undefined ? 'person' : 'agent');
        const survivors = killed.survivors.map(({ identity, command }) => ({
          pid: identity.pid,
          command: supervisor.redactor.redact(command),
          why: 'it did not end, even by SIGKILL',
        }));
        return { outcome: killed.outcome, survivors };
      }),

    input: (request) =>
      change(request, (record) => {
        const { data, submit } = request.body;
        return inputs.write(record, submit ? `${data}\n` : data);
      }),

    closeInput: (request) => change(request, (record) => inputs.close(record)),

    resize: (request) => change(request, (record) => inputs.resize(record, request.body.rows, request.body.cols)),
  };
}
