/** Figures in rows, and what they say about a promise. */
import type { Row, Verdict } from './table.js';

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
export const kb = (value: number): string => `${whole(value)} KB`;

export function row<Figures>(
  figure: string,
  all: ReadonlyMap<string, Figures>,
  show: (figures: Figures) => string | undefined,
): Row {
  const shown = [...all].map(([name, figures]): [string, string | undefined] => [name, show(figures)]);
  return { figure, cells: new Map(shown.filter((cell): cell is [string, string] => cell[1] !== undefined)) };
}

export const only = (figure: string, cell: string): Row => ({ figure, cells: new Map([['Rouse', cell]]) });

/** Nothing is claimed about a peer that was not there. */
const compared = (
  holds: (ratio: number) => boolean,
  claim: string,
  own?: number,
  other?: number,
): Verdict | undefined =>
  own === undefined || other === undefined
    ? undefined
    : { claim, ratio: `${(own / other).toFixed(2)}×`, holds: holds(own / other) };

export const atMost = (claim: string, own?: number, other?: number, most = 1): Verdict | undefined =>
  compared((ratio) => ratio <= most, claim, own, other);

export const atLeast = (claim: string, own?: number, other?: number, least = 1): Verdict | undefined =>
  compared((ratio) => ratio >= least, claim, own, other);

export const bound = (claim: string, own: number | undefined, most: number, unit: string): Verdict | undefined =>
  own === undefined ? undefined : { claim, ratio: `${own.toFixed(2)} ${unit}`, holds: own < most };
