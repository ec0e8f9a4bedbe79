import { z } from 'zod';

/** The signals a person may send. Those in `ending` ask the process to end, so they are followed up with SIGKILL. */
const ending = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGKILL'] as const;
const telling = ['SIGUSR1', 'SIGUSR2', 'SIGSTOP', 'SIGCONT', 'SIGWINCH', 'SIGALRM'] as const;

/** Accepts `TERM`, `term` and `SIGTERM` alike. */
export const Signal = z.preprocess(
  (given) => (typeof given === 'string' ? `SIG${given.toUpperCase().replace(/^SIG/, '')}` : given),
  z.enum([...ending, ...telling]),
);
export type Signal = z.infer<typeof Signal>;

export const asksToEnd = (signal: Signal): boolean => (ending as readonly Signal[]).includes(signal);
