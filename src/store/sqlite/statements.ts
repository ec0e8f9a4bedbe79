/** The few statements that every change runs, straight on the engine: the way there would cost more than the work. */
import type { CompiledQuery, SqliteStatement } from 'kysely';
import type { Ran, Statements } from '../statements.js';
import type { Connection } from './driver.js';

export class PreparedStatements implements Statements {
  readonly #prepared = new Map<string, SqliteStatement>();

  constructor(readonly connection: Connection) {}

  async run<Row>(name: string, values: readonly unknown[], build: () => CompiledQuery<Row>): Promise<Ran<Row>> {
    const statement = this.#prepared.get(name) ?? this.connection.prepare(build().sql);
    this.#prepared.set(name, statement);
    if (statement.reader) return { rows: statement.all(values) as Row[], changed: 0 };
    return { rows: [], changed: Number(statement.run(values).changes) };
  }
}
