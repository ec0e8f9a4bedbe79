import { z } from 'zod';

/** A file that a person gave to a session; `path` is where the agent finds it. */
export const FileAnswer = z.object({ file: z.object({ name: z.string(), path: z.string(), bytes: z.int() }) });
export type FileAnswer = z.infer<typeof FileAnswer>;
