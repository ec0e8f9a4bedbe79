import { z } from 'zod';
import { SessionId } from './ids.js';
import { SentEntry } from './journal.js';
import { WaitingMessage } from './message.js';
import { AgentPolicy, PeoplePolicy } from './notice.js';

/** `waiting` is for a person's answer; `paused` keeps wakes away, and `pausedWhy` says why. */
export const SessionState = z.enum(['idle', 'running', 'waiting', 'paused']);
export type SessionState = z.infer<typeof SessionState>;

/** A session as people and programs see it. The secret of its webhook is returned once, when it is set. */
export const SessionView = z.object({
  id: SessionId,
  title: z.string(),
  agent: z.string(),
  model: z.string().optional(),
  state: SessionState,
  pausedWhy: z.string().optional(),
  generation: z.int(),
  /** Which of its notices people see, and which wake its agent. */
  people: PeoplePolicy,
  wakes: AgentPolicy,
  webhook: z.object({ url: z.string() }).optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  closedAt: z.string().optional(),
  /** How many notices it is still owed, and how many of its processes have not ended. */
  owed: z.int(),
  running: z.int(),
  /** How many messages wait for their turn. */
  waiting: z.int(),
  /** Answers and questions behind the number up to which a person has seen it; counted up to 99. */
  unread: z.int(),
  seenSeq: z.int(),
});
export type SessionView = z.infer<typeof SessionView>;

/** Who runs the turns: our agent, or none. Without an agent, notices wait for a person to look. */
export const AgentName = z.enum(['rouse', 'none'], 'it is "rouse", or "none" for a session without an agent');
export type AgentName = z.infer<typeof AgentName>;

const Webhook = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'it must be an http or https address' }).max(2_000),
  /** Signs what is sent; made by the host when it is left out. */
  secret: z.string().min(16, 'a secret has at least 16 characters').max(200).optional(),
});

const title = z.string().trim().min(1, 'it is empty').max(200, 'it is longer than 200 characters');

export const NewSession = z.strictObject({
  title: title.optional(),
  agent: AgentName.optional(),
  model: z.string().max(200).optional(),
  webhook: Webhook.optional(),
  people: PeoplePolicy.optional(),
  wakes: AgentPolicy.optional(),
  /** The same key again is the same session. */
  key: z.string().min(1).max(200).optional(),
});
export type NewSession = z.infer<typeof NewSession>;

/** What may be changed afterwards; null takes away. */
export const SessionChanges = z.strictObject({
  title: title.optional(),
  model: z.string().max(200).nullable().optional(),
  webhook: Webhook.nullable().optional(),
  people: PeoplePolicy.optional(),
  wakes: AgentPolicy.optional(),
  /** A closed session is woken no more: what it is owed is suppressed. */
  closed: z.boolean().optional(),
});
export type SessionChanges = z.infer<typeof SessionChanges>;

export const SessionAnswer = z.object({
  session: SessionView,
  outcome: z.enum(['made', 'known', 'reset', 'answered', 'resumed', 'nothing-to-resume']).optional(),
  /** Told once, when the webhook is set. */
  webhookSecret: z.string().optional(),
});
export type SessionAnswer = z.infer<typeof SessionAnswer>;

/** The session, its last entries, and the number up to which both are true. */
export const SnapshotAnswer = SessionAnswer.extend({
  entries: z.array(SentEntry),
  waiting: z.array(WaitingMessage),
  seq: z.int(),
});
export type SnapshotAnswer = z.infer<typeof SnapshotAnswer>;

export const EntriesQuery = z.strictObject({
  after: z.coerce.number().int().min(0).optional(),
  before: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(5_000).optional(),
});

export const StopAnswer = z.object({ session: SessionView, outcome: z.enum(['stopped', 'nothing-runs']) });
export type StopAnswer = z.infer<typeof StopAnswer>;
