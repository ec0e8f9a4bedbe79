import { z } from 'zod';

/**
 * A piece of output. It covers the bytes from `from` up to, not including, `to`; `released` of them are gone,
 * and `text` is what is left of them. `size` is how many bytes the process has written so far.
 */
export const OutputPage = z.object({
  text: z.string(),
  from: z.int(),
  to: z.int(),
  size: z.int(),
  released: z.int(),
  /** Only when lines were asked for: the number of the first line shown (from 0), and how many lines are kept. */
  line: z.int().optional(),
  totalLines: z.int().optional(),
  /** Says so when the command tampered with its own output file. */
  damage: z.string().optional(),
});
export type OutputPage = z.infer<typeof OutputPage>;

/** In an address it is a word, in a body it is itself. */
const flag = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0'])])
  .transform((given) => given === true || given === 'true' || given === '1')
  .optional();

/** By bytes: `offset`, `limit`. By lines: `line` (negative counts from the end), `lines`. */
export const OutputQuery = z
  .strictObject({
    offset: z.coerce.number().int().min(0, 'an offset counts from 0').optional(),
    limit: z.coerce.number().int().min(1).max(8_388_608).optional(),
    line: z.coerce.number().int().optional(),
    lines: z.coerce.number().int().min(1).max(100_000).optional(),
    plain: flag,
  })
  .refine((query) => (query.offset ?? query.limit) === undefined || (query.line ?? query.lines) === undefined, {
    message: 'ask by bytes (offset, limit) or by lines (line, lines), not both',
  });
export type OutputQuery = z.infer<typeof OutputQuery>;
