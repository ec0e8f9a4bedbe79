/** Every endpoint, once: the server binds handlers to this list; the client and the OpenAPI document are derived from it. */
import { z } from 'zod';
import { EventsQuery, hostEvents, outputEvents } from './event.js';
import { HealthAnswer, ModelsAnswer } from './host.js';
import { QuestionId, TypedId } from './ids.js';
import { SentEntry } from './journal.js';
import { FileAnswer, MessageAnswer, MessageChanges, MessageRequest, QuestionView, WaitingMessage } from './message.js';
import { NewNoticeRequest, NoticeAnswer, NoticesQuery, NoticeView } from './notice.js';
import { OutputPage, OutputQuery, SearchAnswer, SearchQuery } from './output.js';
import { MeAnswer, PushAnswer, PushRequest, SignInRequest, SignOutRequest } from './people.js';
import {
  InputRequest,
  KillAnswer,
  ListQuery,
  LogRequest,
  PollRequest,
  ProcessAnswer,
  ProcessView,
  Signal,
  StartRequest,
  TailLines,
  UsageAnswer,
  WaitAnswer,
  WaitRequest,
} from './process.js';
import { get, patch, post, put } from './route.js';
import {
  EntriesQuery,
  NewSession,
  SessionAnswer,
  SessionChanges,
  SessionView,
  SnapshotAnswer,
  StopAnswer,
} from './session.js';

const RAW = 'application/octet-stream';

export const process = {
  start: post('/api/processes', 'Start a process in the background', {
    body: StartRequest,
    answer: ProcessAnswer,
    status: 201,
    permission: 'by-owner',
  }),
  list: get('/api/processes', 'List processes, newest first', {
    query: ListQuery,
    answer: z.object({ processes: z.array(ProcessView) }),
  }),
  usage: get('/api/processes/usage', 'Show what running processes use', { answer: UsageAnswer }),
  show: get('/api/processes/:id', 'Show a process and, if asked for, the tail of its output', {
    query: z.strictObject({ tail: TailLines.optional() }),
    answer: ProcessAnswer,
  }),
  poll: post('/api/processes/:id/poll', 'Show a session its own process; consumes an end that it shows', {
    body: PollRequest,
    answer: ProcessAnswer,
    permission: 'by-owner',
  }),
  log: post('/api/processes/:id/log', 'Show a session the output of its own process; consumes an end that it reaches', {
    body: LogRequest,
    answer: z.object({ process: ProcessView, output: OutputPage }),
    permission: 'by-owner',
  }),
  wait: post('/api/processes/:id/wait', 'Wait for the end, or until the time is up', {
    body: WaitRequest,
    answer: WaitAnswer,
    permission: 'by-owner',
  }),
  kill: post('/api/processes/:id/kill', 'End the whole tree of a process, or send it another signal', {
    body: z.strictObject({ signal: Signal.optional(), session: TypedId.optional() }),
    answer: KillAnswer,
    permission: 'by-owner',
  }),
  input: post('/api/processes/:id/input', 'Send text to the input; `submit` adds a newline', {
    body: InputRequest,
    answer: ProcessAnswer,
    permission: 'by-owner',
  }),
  closeInput: post('/api/processes/:id/close-input', 'End the input', {
    answer: ProcessAnswer,
    permission: 'by-owner',
  }),
  resize: post('/api/processes/:id/resize', 'Resize the terminal', {
    body: z.strictObject({ rows: z.int().min(1).max(1_000), cols: z.int().min(1).max(1_000) }),
    answer: ProcessAnswer,
    permission: 'by-owner',
  }),
};

export const output = {
  page: get('/api/processes/:id/output', 'Read output by bytes or by lines', {
    query: OutputQuery,
    answer: OutputPage,
    produces: RAW,
  }),
  search: get('/api/processes/:id/output/search', 'Search the output, ignoring case; `next` says where to continue', {
    query: SearchQuery,
    answer: SearchAnswer,
  }),
  follow: get('/api/processes/:id/output/stream', 'Follow the output; the event id is the offset to resume from', {
    query: z.strictObject({
      offset: OutputQuery.shape.offset,
      plain: OutputQuery.shape.plain,
    }),
    events: outputEvents,
    produces: RAW,
  }),
  download: get('/api/processes/:id/output/file', 'Download the whole output as text', {
    produces: 'text/plain; charset=utf-8',
  }),
};

export const session = {
  create: post('/api/sessions', 'Create a session', { body: NewSession, answer: SessionAnswer, status: 201 }),
  list: get('/api/sessions', 'List sessions, the last changed first', {
    answer: z.object({ sessions: z.array(SessionView) }),
  }),
  show: get('/api/sessions/:id', 'Show a session with its last entries', {
    query: z.strictObject({ entries: z.coerce.number().int().min(0).max(5_000).optional() }),
    answer: SnapshotAnswer,
  }),
  change: patch('/api/sessions/:id', 'Change a session, or close it', { body: SessionChanges, answer: SessionAnswer }),
  seen: post('/api/sessions/:id/seen', 'Record up to which number a person has seen the session', {
    body: z.strictObject({ seq: z.int().min(0) }),
    answer: SessionAnswer,
  }),
  entries: get('/api/sessions/:id/entries', 'Read entries after or before a number', {
    query: EntriesQuery,
    answer: z.object({ entries: z.array(SentEntry) }),
  }),
  send: post('/api/sessions/:id/messages', 'Send a message to the agent', {
    body: MessageRequest,
    answer: MessageAnswer,
    status: 202,
    permission: 'send',
  }),
  changeMessage: patch('/api/sessions/:id/messages/:message', 'Change a message that waits', {
    body: MessageChanges,
    answer: z.object({ message: WaitingMessage }),
    permission: 'send',
  }),
  withdraw: post('/api/sessions/:id/messages/:message/withdraw', 'Withdraw a message that waits', {
    answer: z.object({ message: WaitingMessage }),
    permission: 'send',
  }),
  putFile: put('/api/sessions/:id/files/:name', 'Give a file of at most 32 MiB; a name in use gets a number', {
    takes: 'bytes',
    answer: FileAnswer,
    status: 201,
    permission: 'send',
  }),
  stop: post('/api/sessions/:id/stop', 'End the running turn; its processes keep running', {
    answer: StopAnswer,
  }),
  /** The exact text is only for callers who may answer. */
  questions: get('/api/sessions/:id/questions', 'Show the waiting questions exactly as they were asked', {
    answer: z.object({ questions: z.array(QuestionView) }),
    permission: 'answer',
  }),
  answer: post('/api/sessions/:id/answers', 'Answer a question; the first answer counts', {
    body: z.strictObject({ question: QuestionId, text: z.string().trim().min(1).max(20_000) }),
    answer: SessionAnswer,
    permission: 'answer',
  }),
  reset: post('/api/sessions/:id/reset', 'Start over and settle what is owed from before', { answer: SessionAnswer }),
  resume: post('/api/sessions/:id/resume', 'Lift a pause and continue unfinished work', { answer: SessionAnswer }),
};

export const notice = {
  list: get('/api/notices', 'List notices, newest first', {
    query: NoticesQuery,
    answer: z.object({ notices: z.array(NoticeView) }),
  }),
  show: get('/api/notices/:id', 'Show a notice', { answer: NoticeAnswer }),
  add: post('/api/sessions/:id/notices', 'Add a notice from outside; a key makes it unique', {
    body: NewNoticeRequest,
    answer: NoticeAnswer,
    status: 201,
    permission: 'notify',
  }),
  retry: post('/api/notices/:id/retry', 'Retry a dead notice', { answer: NoticeAnswer }),
  dismiss: post('/api/notices/:id/dismiss', 'Settle a notice that is no longer needed', { answer: NoticeAnswer }),
  why: get('/api/why/:id', 'Explain the notices of a process, one notice, or what a session waits for', {
    answer: z.object({ sentences: z.array(z.string()), notices: z.array(NoticeView) }),
  }),
};

export const people = {
  signInLink: post('/api/sign-in-links', 'Create a link that signs a browser in once', {
    answer: z.object({ url: z.string(), expiresAt: z.string() }),
    status: 201,
    permission: 'open',
  }),
  /** Open to anyone, so the body has room for a code and a key only. */
  signIn: post('/api/sign-in', 'Sign this browser in with the code of a link', {
    body: SignInRequest,
    limits: { bytes: 1_024, ms: 5_000 },
    answer: z.object({ signedIn: z.literal(true) }),
    access: 'anyone',
    permission: 'open',
  }),
  signOut: post('/api/sign-out', 'Sign this browser out, or all browsers, which also voids unused links', {
    body: SignOutRequest,
    answer: z.object({ signedOut: z.int() }),
    permission: 'open',
  }),
  me: get('/api/me', 'Show whether this browser is signed in', { answer: MeAnswer }),
  pushed: get('/api/push', 'Show whether this browser receives push messages, and the key to subscribe with', {
    answer: PushAnswer,
  }),
  subscribe: post('/api/push', 'Send this browser push messages while its page is closed', {
    body: PushRequest,
    answer: PushAnswer,
    permission: 'open',
  }),
  unsubscribe: post('/api/push/remove', 'Stop sending this browser push messages', {
    answer: PushAnswer,
    permission: 'open',
  }),
};

export const host = {
  health: get('/healthz', 'Show whether the host is well; with a token also its version and start time', {
    answer: HealthAnswer,
    access: 'probe',
  }),
  events: get(
    '/api/events',
    'Follow what changes; the event id is the number to resume after (`after`, Last-Event-ID)',
    {
      query: EventsQuery,
      events: hostEvents,
    },
  ),
  models: get('/api/models', 'List the known models', { answer: ModelsAnswer }),
  metrics: get('/metrics', 'Show metrics for Prometheus', { produces: 'text/plain; version=0.0.4; charset=utf-8' }),
  openapi: get('/api/openapi.json', 'Show this document', { answer: z.looseObject({}) }),
};

export const routes = { process, output, session, notice, people, host };
