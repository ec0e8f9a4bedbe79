import { z } from 'zod';

/** Without a token it is the status alone. */
export const HealthAnswer = z.object({
  status: z.enum(['ok', 'stopping']),
  version: z.string().optional(),
  startedAt: z.string().optional(),
});
export type HealthAnswer = z.infer<typeof HealthAnswer>;

/** RFC 9457. `type` is a word behind `/problems/`, one for each refusal. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  candidates: z.array(z.string()).optional(),
});
export type Problem = z.infer<typeof Problem>;

export const ModelsAnswer = z.object({
  default: z.string(),
  models: z.array(
    z.object({ id: z.string(), provider: z.string(), name: z.string(), contextWindow: z.int().optional() }),
  ),
  refreshedAt: z.string().optional(),
  /** `built-in` when no provider has said yet what it has. */
  source: z.enum(['built-in', 'cached']),
});
export type ModelsAnswer = z.infer<typeof ModelsAnswer>;

/** One line of `rouse doctor`. What is not `ok` says the way out. */
export type Finding = {
  readonly check: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly says: string;
};
