/** How long ago, in a word that stays true while one looks at it. */
import { signal } from '@preact/signals';

export const now = signal(Date.now());
setInterval(() => (now.value = Date.now()), 1_000);

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
] as const;

/** The largest unit alone: `42s`, `7m`, `3h`, `5d`. */
export function roughly(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [size, unit] = UNITS.find(([size]) => seconds >= size) ?? [1, 's'];
  return `${Math.floor(seconds / size)}${unit}`;
}

/** Exact where it is short, as in `1.3s`, `2m 05s`, `1h 02m`. */
export function lasting(ms: number): string {
  if (ms < 10_000) return `${(Math.max(0, ms) / 1_000).toFixed(1)}s`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds}s`;
  const two = (n: number) => String(n).padStart(2, '0');
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3_600)}h ${two(Math.floor((seconds % 3_600) / 60))}m`;
}

export const Ago = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={new Date(at).toLocaleString()}>
    {roughly(now.value - Date.parse(at))}
  </time>
);
