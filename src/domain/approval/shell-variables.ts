/** Which variables of a script can be known without running it. */
import type { Variables } from './shell-cursor.js';

const MOST = 200;

export const boundTo = (variables: Variables, name: string, values: readonly string[]): Variables =>
  Object.keys(variables).length < MOST && values.length <= MOST ? { ...variables, [name]: values } : variables;

/**
 * A name that stands in the script without `$` may be set there, by an assignment, a loop, `read`, `unset` or a text
 * that is evaluated. One that stands there once, where it is set, has no other value.
 */
export function assignedOnce(source: string) {
  const counts = new Map<string, number>();
  for (const [name] of source.matchAll(/(?<![\w$]|\$\{)[A-Za-z_]\w*/g)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    is: (name: string): boolean => counts.get(name) === 1,
    untouched: (variables: Variables): Variables =>
      Object.fromEntries(Object.entries(variables).filter(([name]) => !counts.has(name))),
  };
}
