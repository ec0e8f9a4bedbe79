import { z } from 'zod';

/** Ids carry their kind in the text and in the type: neither a log line nor a call site can confuse two. */
const id = <Kind extends string>(prefix: string) =>
  z.string().regex(shape(prefix), `an id that begins with "${prefix}_"`).brand<Kind>();

const shape = (prefix: string) => new RegExp(`^${prefix}_[0-9a-z]{12,40}$`);

export const ProcessId = id<'ProcessId'>('proc');
export type ProcessId = z.infer<typeof ProcessId>;

const PROCESS_ID = shape('proc');

/** The same question without a report of what is wrong, for who asks it at every turn. */
export const isProcessId = (text: string): text is ProcessId => PROCESS_ID.test(text);

export const SessionId = id<'SessionId'>('ses');
export type SessionId = z.infer<typeof SessionId>;

export const NoticeId = id<'NoticeId'>('ntc');
export type NoticeId = z.infer<typeof NoticeId>;

export const TurnId = id<'TurnId'>('turn');
export type TurnId = z.infer<typeof TurnId>;

export const MessageId = id<'MessageId'>('msg');
export type MessageId = z.infer<typeof MessageId>;

export const QuestionId = id<'QuestionId'>('qst');
export type QuestionId = z.infer<typeof QuestionId>;

export const BrowserId = id<'BrowserId'>('brw');
export type BrowserId = z.infer<typeof BrowserId>;

/** An id as a person types it: whole or shortened. */
export const TypedId = z.string().min(1).max(60);
