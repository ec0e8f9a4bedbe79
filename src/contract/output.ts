import { z } from 'zod';

/** No page of text covers more bytes that are kept, and no page of raw bytes more of them, whatever was asked for. */
export const PAGE_BYTES = 262_144;
export const RAW_PAGE_BYTES = 1_048_576;

/**
 * A page of output. It covers the bytes from `from` up to, not including, `to`. `size` is how many bytes the process has
 * written so far. Where the quota released bytes, a page ends before the gap or begins with it: `gap` is the released
 * range, `released` its length, and `text` starts behind it.
 */
export const OutputPage = z.object({
  text: z.string(),
  from: z.int(),
  to: z.int(),
  size: z.int(),
  released: z.int(),
  gap: z.object({ from: z.int(), to: z.int() }).optional(),
  /** Only for a page by lines: the number of its first line (from 0), how many lines it has, and how many are kept. */
  line: z.int().optional(),
  lines: z.int().optional(),
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

/** Where and in which line the words stand. `text` is the line as people read it, cut to 400 characters around them. */
export const OutputMatch = z.object({ offset: z.int(), line: z.int(), text: z.string() });
export type OutputMatch = z.infer<typeof OutputMatch>;

/** `line` is the number of the line that begins at `offset`, by which the lines of the answer are counted on. */
export const SearchQuery = z.strictObject({
  text: z.string().min(1, 'it is empty: give what to look for').max(1_000, 'it is longer than 1,000 characters'),
  offset: z.coerce.number().int().min(0, 'an offset counts from 0').optional(),
  line: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).optional(),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

/** `next` and `nextLine` are there when not all was looked at: ask again from there. */
export const SearchAnswer = z.object({
  matches: z.array(OutputMatch),
  next: z.int().optional(),
  nextLine: z.int().optional(),
  size: z.int(),
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;
