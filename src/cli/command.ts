import type { Command } from 'commander';
import { answer, answerJson, type Caller } from './caller.js';

/** Makes an action of work that returns the exit status of the program, if it is not 0. */
export type Ends = <Args extends unknown[]>(
  work: (...args: Args) => Promise<number> | Promise<void>,
) => (...args: Args) => Promise<void>;

/** Describes a command to the program, with the work that it does. */
export type AddCommand = (program: Command, caller: Caller, ends: Ends) => void;

export const DONE = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;

/** Of commands that exit with the status of a process. As with `timeout` and `docker run`, these say that there is none. */
export const TIMED_OUT = 124;
export const NO_STATUS = 125;

/** Completion recognises an argument by these words. */
export const ID = 'the id of a process, or any unambiguous prefix';
export const SESSION_ID = 'the id of a session, or any unambiguous prefix';
export const NOTICE_ID = 'the id of a notice, or any unambiguous prefix';
export const NOTICE_OR_PROCESS = 'the id of a notice, a process or a session, or any unambiguous prefix';

/** For commands that show the end of a process. */
export const FOR_SESSION =
  'act on behalf of the session that owns the process; if this shows the end, Rouse does not notify the session again';

/** Prints what the host answered: all of it as JSON, or in words. */
export function print(caller: Caller, json: boolean | undefined, value: unknown, words: string): void {
  if (json) answerJson(caller, value);
  else answer(caller, words);
}
