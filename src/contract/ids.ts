import { z } from 'zod';

/** Ids carry their kind in the text and in the type: neither a log line nor a call site can confuse two. */
const id = <Kind extends string>(prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-z]{12,40}$`), `an id that begins with "${prefix}_"`)
    .brand<Kind>();

export const ProcessId = id<'ProcessId'>('proc');
export type ProcessId = z.infer<typeof ProcessId>;

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
