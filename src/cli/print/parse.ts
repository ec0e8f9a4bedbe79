/** Values of options, read from what a person typed. */
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
  if (!(ms > 0)) throw new InvalidArgumentError('Give a duration such as 500ms, 90s, 10m or 2h.');
  return ms;
}

export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most)
      throw new InvalidArgumentError(`Give a number from ${least} to ${most}.`);
    return number;
  };
