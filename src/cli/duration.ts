/** Spans of time as people write and read them. */
import { InvalidArgumentError } from 'commander';

const UNITS = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** `90s`, `10m`, `1.5h`, `500ms`, in milliseconds. */
export function parseDuration(text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  const ms = Math.round(Number(number) * (UNITS.get(unit) ?? Number.NaN));
  if (!(ms > 0)) throw new InvalidArgumentError('Write a span of time such as 500ms, 90s, 10m or 2h.');
  return ms;
}

/** The two largest units: `4m 10s`, `2h 5m`; below ten seconds with a tenth. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}s`;
  if (whole < 3_600) return two(Math.floor(whole / 60), 'm', whole % 60, 's');
  if (whole < 86_400) return two(Math.floor(whole / 3_600), 'h', Math.floor((whole % 3_600) / 60), 'm');
  return two(Math.floor(whole / 86_400), 'd', Math.floor((whole % 86_400) / 3_600), 'h');
}

const two = (large: number, unit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large}${unit}` : `${large}${unit} ${small}${smallUnit}`;
