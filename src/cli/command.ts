import type { Command } from 'commander';
import type { Caller } from './caller.js';

/** Makes an action of work that tells with which status the program ends. */
export type Ends = <Args extends unknown[]>(
  work: (...args: Args) => Promise<number>,
) => (...args: Args) => Promise<void>;

/** One file a command: it describes the command to the program and does the work. */
export type AddCommand = (program: Command, caller: Caller, ends: Ends) => void;

export const DONE = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;

/** Of commands that end with the status of a process. As with `timeout` and `docker run`, these say that there is none. */
export const TIMED_OUT = 124;
export const NO_STATUS = 125;

/** What an id is of. Completion knows an argument by these words. */
export const ID = 'the id of a process, or any unambiguous beginning of it';
export const SESSION_ID = 'the id of a session, or any unambiguous beginning of it';
export const NOTICE_ID = 'the id of a notice, or any unambiguous beginning of it';
export const NOTICE_OR_PROCESS = 'the id of a notice, a process or a session, or any unambiguous beginning of it';

/** For commands that show a process its end. */
export const FOR_SESSION = 'act for the session that owns it: an end that is shown is not told again';
