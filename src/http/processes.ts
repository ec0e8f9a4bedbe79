/** The process part of the interface. */
import type { Context } from 'hono';
import { z } from 'zod';
import type { Clock } from '../ports/clock.js';
import {
  InputRequest,
  KillAnswer,
  KillRequest,
  ListQuery,
  LogAnswer,
  LogRequest,
  PollQuery,
  PollRequest,
  ProcessAnswer,
  ProcessesAnswer,
  ResizeRequest,
  UsageAnswer,
  WaitAnswer,
  WaitRequest,
  StartRequest,
  type ProcessView,
} from '../contract/process.js';
import { isRefusal, refuse, type Refusal } from '../contract/refusal.js';
import type { Inputs } from '../runtime/process/inputs.js';
import type { Notices } from '../runtime/notice/notices.js';
import type { OutputReader } from '../runtime/output/output.js';
import type { Supervisor } from '../runtime/process/supervisor.js';
import { usageOfRunning } from '../runtime/process/usage.js';
import type { Views } from '../runtime/process/view.js';
import type { ProcessRecord, Store } from '../ports/store.js';
import { findProcess, findSession } from './find.js';
import type { Bindings } from './guard.js';
import { objectionTo } from './inside.js';
import type { Routes } from './routes.js';

export type ProcessParts = {
  readonly store: Store;
  readonly supervisor: Supervisor;
  readonly reader: OutputReader;
  readonly inputs: Inputs;
  readonly views: Views;
  readonly notices: Notices;
  readonly clock: Clock;
};

const LIST_LIMIT = 1_000;

export function processRoutes(routes: Routes, parts: ProcessParts): void {
  const { store, supervisor, reader, inputs, views, notices, clock } = parts;

  /** Does the work on the process that was meant, and shows it as it is afterwards. */
  const on = async <Extra extends object>(
    typed: string,
    work: (record: ProcessRecord) => Promise<Extra | Refusal | undefined>,
  ) => {
    const record = await findProcess(store, supervisor, typed);
    if (isRefusal(record)) return record;
    const extra = await work(record);
    if (isRefusal(extra)) return extra;
    return { ...(extra as Extra), process: await views.of((await supervisor.get(record.id)) ?? record) };
  };

  /** The same for work that changes something: a process of a session is not every process's to change. */
  const change = <Extra extends object>(
    { id, context }: { readonly id: string; readonly context: Context<Bindings> },
    work: (record: ProcessRecord) => Promise<Extra | Refusal | undefined>,
  ) => on(id, async (record) => (record.session && objectionTo(context, 'processes')) || work(record));

  /** The same for its owner: another session's process is unknown to it, and the end that it is shown is consumed. */
  const onOwn = async <Extra extends object>(
    typed: string,
    {
      session,
      how,
      context,
    }: { readonly session: string | undefined; readonly how: string; context: Context<Bindings> },
    work: (record: ProcessRecord) => Promise<Extra | Refusal | undefined>,
    showsEnd: (extra: Extra & { readonly process: ProcessView }) => boolean = () => true,
  ) => {
    const objection = session === undefined ? undefined : objectionTo(context, 'processes');
    if (objection) return objection;
    const owner = session === undefined ? undefined : await findSession(store, session);
    if (isRefusal(owner)) return owner;
    const answer = await on(typed, async (record) =>
      owner && record.session !== owner.id
        ? refuse('not-found', `Session ${owner.id} has no process "${record.id}".`)
        : work(record),
    );
    if (!isRefusal(answer) && owner && answer.process.state === 'ended' && showsEnd(answer))
      await notices.consume(answer.process.id, how);
    return answer;
  };

  const tailOf = async (record: ProcessRecord, lines: number | undefined) => {
    const page = lines === undefined ? undefined : await reader.lastLines(record, lines);
    return page && !isRefusal(page) ? { tail: page } : {};
  };

  routes.post(
    '/api/processes',
    { summary: 'Starts a process in the background', body: StartRequest, answer: ProcessAnswer, status: 201 },
    async ({ body, context }) => {
      const objection = body.session === undefined ? undefined : objectionTo(context, 'run');
      if (objection) return objection;
      const session = body.session === undefined ? undefined : await findSession(store, body.session);
      if (isRefusal(session)) return session;
      const started = await supervisor.start({ ...body, session });
      if (isRefusal(started)) return started;
      return { process: await views.of(started.process), notes: [...started.notes] };
    },
  );

  routes.get(
    '/api/processes',
    { summary: 'Lists processes, the newest first', query: ListQuery, answer: ProcessesAnswer },
    async ({ query }) => {
      const { state, limit = LIST_LIMIT } = query;
      const session = query.session === undefined ? undefined : await findSession(store, query.session);
      if (isRefusal(session)) return session;
      if (state === 'unreachable') return { processes: [] };
      const records = await store.processes.list({
        ...(session && { session: session.id }),
        ...(state && { state }),
        limit,
      });
      return { processes: await Promise.all(records.map((record) => views.of(record))) };
    },
  );

  routes.get(
    '/api/processes/usage',
    { summary: 'Says what running processes use', query: z.strictObject({}), answer: UsageAnswer },
    async () => ({ usage: [...(await usageOfRunning(supervisor))], at: new Date(clock.now()).toISOString() }),
  );

  routes.get(
    '/api/processes/:id',
    { summary: 'Shows one process, with the tail of its output if asked', query: PollQuery, answer: ProcessAnswer },
    ({ id, query: { tail } }) => on(id, (record) => tailOf(record, tail)),
  );

  routes.post(
    '/api/processes/:id/poll',
    {
      summary: 'Shows a session its own process; an end that is shown is consumed',
      body: PollRequest,
      answer: ProcessAnswer,
    },
    ({ id, body: { session, tail }, context }) =>
      onOwn(id, { session, how: 'poll', context }, (record) => tailOf(record, tail)),
  );

  routes.post(
    '/api/processes/:id/log',
    {
      summary: 'Reads the output of a session’s own process; read up to the end of an ended one, the end is consumed',
      body: LogRequest,
      answer: LogAnswer,
    },
    ({ id, body: { session, query = {} }, context }) =>
      onOwn(
        id,
        { session, how: 'log', context },
        async (record) => {
          const output = await reader.page(record, query);
          return isRefusal(output) ? output : { output };
        },
        // It may have written more and ended since the page was read.
        ({ output, process }) => output.to === process.outputBytes,
      ),
  );

  routes.post(
    '/api/processes/:id/wait',
    { summary: 'Waits for the end, or until the time is up', body: WaitRequest, answer: WaitAnswer },
    async ({ id, body, context }) => {
      const answer = await onOwn(id, { session: body.session, how: 'wait', context }, async (record) => {
        await supervisor.wait(record.id, body.timeoutMs, context.req.raw.signal);
        return {};
      });
      return isRefusal(answer)
        ? answer
        : { ...answer, outcome: answer.process.state === 'ended' ? ('ended' as const) : ('running' as const) };
    },
  );

  routes.post(
    '/api/processes/:id/kill',
    { summary: 'Ends the whole tree of a process, or sends it another signal', body: KillRequest, answer: KillAnswer },
    ({ id, body, context }) =>
      onOwn(id, { session: body.session, how: 'kill', context }, async (record) => {
        const objection = record.session && objectionTo(context, 'processes');
        if (objection) return objection;
        const by = body.session === undefined ? 'person' : 'agent';
        const { outcome, survivors } = await supervisor.kill(record.id, body.signal ?? 'SIGTERM', by);
        const named = survivors.map(({ identity, command }) => ({
          pid: identity.pid,
          command: supervisor.redactor.redact(command),
          why: 'it did not end, even by SIGKILL',
        }));
        return { outcome, survivors: named };
      }),
  );

  routes.post(
    '/api/processes/:id/input',
    { summary: 'Sends text to the input; `submit` adds a newline', body: InputRequest, answer: ProcessAnswer },
    (request) =>
      change(request, (record) => {
        const { data, submit } = request.body;
        return inputs.write(record, submit ? `${data}\n` : data);
      }),
  );

  routes.post(
    '/api/processes/:id/close-input',
    { summary: 'Ends the input', body: z.strictObject({}), answer: ProcessAnswer },
    (request) => change(request, (record) => inputs.close(record)),
  );

  routes.post(
    '/api/processes/:id/resize',
    { summary: 'Resizes the terminal', body: ResizeRequest, answer: ProcessAnswer },
    (request) => change(request, (record) => inputs.resize(record, request.body.rows, request.body.cols)),
  );
}
