/** The few statements that run for every change, however a database runs them. */
import type { CompiledQuery } from 'kysely';

export type Ran<Row> = { readonly rows: readonly Row[]; readonly changed: number };

/** Known by what they do, and built once. */
export interface Statements {
  /** The values stand in the order in which the statement names them, whatever it was built with. */
  run<Row>(name: string, values: readonly unknown[], build: () => CompiledQuery<Row>): Promise<Ran<Row>>;
}
