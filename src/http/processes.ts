/** The process part of the interface. */
import { z } from 'zod';
import {
  InputRequest,
  KillAnswer,
  KillRequest,
  ListQuery,
  PollQuery,
  ProcessAnswer,
  ProcessesAnswer,
  ResizeRequest,
  WaitAnswer,
  WaitRequest,
} from '../contract/api.js';
import { StartRequest } from '../contract/process.js';
import { isRefusal, type Refusal } from '../contract/refusal.js';
import { meant } from '../domain/naming.js';
import type { Inputs } from '../runtime/inputs.js';
import type { OutputReader } from '../runtime/output.js';
import type { Supervisor } from '../runtime/supervisor.js';
import type { Views } from '../runtime/view.js';
import type { ProcessRecord, Store } from '../store.js';
import type { Routes } from './routes.js';

export type ProcessParts = {
  readonly store: Store;
  readonly supervisor: Supervisor;
  readonly reader: OutputReader;
  readonly inputs: Inputs;
  readonly views: Views;
};

const LIST_LIMIT = 1_000;

/** The process that a typed id means, whole or shortened. */
export async function find(
  { store, supervisor }: Pick<ProcessParts, 'store' | 'supervisor'>,
  typed: string,
): Promise<ProcessRecord | Refusal> {
  const beginning = typed.startsWith('proc_') ? typed : `proc_${typed}`;
  const id = meant(typed, await store.processes.beginningWith(beginning, 11));
  if (isRefusal(id)) return id;
  return (await supervisor.get(id)) ?? { refused: 'not-found', why: `Process ${id} has just been forgotten.` };
}

export function processRoutes(routes: Routes, parts: ProcessParts): void {
  const { store, supervisor, reader, inputs, views } = parts;

  /** Does the work on the process that was meant, and shows it as it is afterwards. */
  const on = async <Extra extends object>(
    typed: string,
    work: (record: ProcessRecord) => Promise<Extra | Refusal | undefined>,
  ) => {
    const record = await find(parts, typed);
    if (isRefusal(record)) return record;
    const extra = await work(record);
    if (isRefusal(extra)) return extra;
    return { ...(extra as Extra), process: await views.of((await supervisor.get(record.id)) ?? record) };
  };

  routes.post(
    '/api/processes',
    { summary: 'Starts a process in the background', body: StartRequest, answer: ProcessAnswer, status: 201 },
    async ({ body }) => {
      const record = await supervisor.start(body);
      return isRefusal(record) ? record : { process: await views.of(record), ...notes(body) };
    },
  );

  routes.get(
    '/api/processes',
    { summary: 'Lists processes, the newest first', query: ListQuery, answer: ProcessesAnswer },
    async ({ query }) => {
      const { session, state, limit = LIST_LIMIT } = query;
      if (state === 'unreachable') return { processes: [] };
      const records = await store.processes.list({ ...(session && { session }), ...(state && { state }), limit });
      return { processes: await Promise.all(records.map((record) => views.of(record))) };
    },
  );

  routes.get(
    '/api/processes/:id',
    { summary: 'Shows one process, with the tail of its output if asked', query: PollQuery, answer: ProcessAnswer },
    ({ id, query: { tail } }) =>
      on(id, async (record) => {
        const page = tail === undefined ? undefined : await reader.page(record, { line: -tail, lines: tail });
        return page && !isRefusal(page) ? { tail: page } : {};
      }),
  );

  routes.post(
    '/api/processes/:id/wait',
    { summary: 'Waits for the end, or until the time is up', body: WaitRequest, answer: WaitAnswer },
    async ({ id, body, context }) => {
      const answer = await on(id, async (record) => {
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
    ({ id, body }) =>
      on(id, async (record) => {
        const { outcome, survivors } = await supervisor.kill(record.id, body.signal ?? 'SIGTERM', 'person');
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
    ({ id, body }) => on(id, (record) => inputs.write(record, body.submit ? `${body.data}\n` : body.data)),
  );

  routes.post(
    '/api/processes/:id/close-input',
    { summary: 'Ends the input', body: z.strictObject({}), answer: ProcessAnswer },
    ({ id }) => on(id, (record) => inputs.close(record)),
  );

  routes.post(
    '/api/processes/:id/resize',
    { summary: 'Resizes the terminal', body: ResizeRequest, answer: ProcessAnswer },
    ({ id, body }) => on(id, (record) => inputs.resize(record, body.rows, body.cols)),
  );
}

/** Where a wake cannot come, the start says so instead of promising it. */
function notes(request: StartRequest): { notes?: string[] } {
  const asked = request.notifyOnComplete || request.watchPatterns.length > 0;
  return asked
    ? {
        notes: [
          'Notify and watch are remembered with the process, but this version wakes nobody yet: wait for it, or look at it.',
        ],
      }
    : {};
}
