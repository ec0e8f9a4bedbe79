/** How long ago, updated every second. */
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

export const Ago = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={new Date(at).toLocaleString()}>
    {roughly(now.value - Date.parse(at))}
  </time>
);
