import pg, { type ClientBase, type Connection, type Submittable } from 'pg';

/** One SQL statement with `$1`-style bound values. */
export interface Statement {
  readonly sql: string;
  readonly values?: readonly unknown[];
  /** Whether a connection keeps it prepared. Only for statements with few distinct texts, not for user filters. */
  readonly kept?: boolean;
}

export type Row = Record<string, unknown>;

/**
 * Maximum number of prepared statements of a connection: PostgreSQL uses up to 3 MB for each. What was not used for the longest
 * time gives way, because planning a statement under row-level security takes far longer than running it.
 */
const MAX_KEPT = 100;

/** A prepared statement of a connection, with its columns, or null until PostgreSQL describes them. */
interface Prepared {
  readonly name: string;
  columns: Columns | null;
}

/** The prepared statements of a connection by their SQL, the least recently used first. */
class KeptStatements {
  readonly #prepared = new Map<string, Prepared>();
  #count = 0;

  /** The statement as one of the connection, and whether it has still to be prepared. */
  use(sql: string): { readonly prepared: Prepared; readonly isNew: boolean } {
    const known = this.#prepared.get(sql);
    this.#count += known ? 0 : 1;
    const prepared = known ?? { name: `kept_${this.#count}`, columns: null };
    this.#prepared.delete(sql);
    this.#prepared.set(sql, prepared);
    return { prepared, isNew: known === undefined };
  }

  /** Forgets what may not have been prepared, because a statement before it failed. Its name is not used again. */
  forget(sql: string): void {
    this.#prepared.delete(sql);
  }

  /** Removes what is too many, and returns the names. */
  giveWay(): string[] {
    const names: string[] = [];
    for (const [sql, { name }] of this.#prepared) {
      if (this.#prepared.size <= MAX_KEPT) break;
      this.#prepared.delete(sql);
      names.push(name);
    }
    return names;
  }
}
const keptOn = new WeakMap<Connection, KeptStatements>();

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

type Parse = (text: string) => unknown;

interface Columns {
  readonly names: readonly string[];
  readonly parsers: readonly Parse[];
}
const NO_COLUMNS: Columns = { names: [], parsers: [] };

/**
 * Statements that are sent to PostgreSQL in one message and answered in one. Without a `begin`, everything that is sent
 * before one Sync is one transaction (PostgreSQL, "Extended Query: Pipelining"). A setting that the first statement
 * makes local therefore applies to the other statements, and to nothing after them.
 */
class ReadBatch implements Submittable {
  readonly rows: Row[][];
  readonly #statements: readonly Statement[];
  readonly #parserOf: (type: number) => Parse;
  readonly #done: (error: Error | null) => void;
  /** For each statement, what the connection has prepared; without a name if it is not kept. */
  readonly #prepared: Prepared[] = [];
  /** What this batch prepares. */
  readonly #added: string[] = [];
  #kept = new KeptStatements();
  #at = 0;
  #rowError: Error | null = null;

  constructor(
    statements: readonly Statement[],
    parserOf: (type: number) => Parse,
    done: (error: Error | null) => void,
  ) {
    this.rows = statements.map(() => []);
    this.#statements = statements;
    this.#parserOf = parserOf;
    this.#done = done;
  }

  submit(connection: Connection): void {
    const kept = keptOn.get(connection) ?? new KeptStatements();
    keptOn.set(connection, kept);
    this.#kept = kept;
    connection.stream.cork();
    try {
      for (const { sql, values = [], kept: isKept } of this.#statements) {
        const { prepared, isNew } = isKept ? kept.use(sql) : { prepared: { name: '', columns: null }, isNew: true };
        const { name, columns } = prepared;
        if (isNew) connection.parse({ name, text: sql, types: [] }, true);
        if (isNew && isKept) this.#added.push(sql);
        this.#prepared.push(prepared);
        connection.bind({ portal: '', statement: name, binary: '', values: values.map(boundText) }, true);
        // The columns of a prepared statement never change: PostgreSQL would refuse to run it.
        if (columns === null) connection.describe({ type: 'P', name: '' }, true);
        connection.execute({ portal: '', rows: '' }, true);
      }
      for (const name of kept.giveWay()) connection.close({ type: 'S', name }, true);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    const columns = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => this.#parserOf(dataTypeID)),
    };
    this.#prepared[this.#at]!.columns = columns;
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#rowError) return;
    const { names, parsers } = this.#prepared[this.#at]?.columns ?? NO_COLUMNS;
    try {
      const row: Row = {};
      for (let at = 0; at < fields.length; at += 1) {
        const text = fields[at]!;
        row[names[at]!] = text === null ? null : parsers[at]!(text);
      }
      this.rows[this.#at]!.push(row);
    } catch (error) {
      this.#rowError = error as Error;
    }
  }

  handleCommandComplete(): void {
    this.#at += 1;
  }

  handleEmptyQuery(): void {
    this.#at += 1;
  }

  handleError(error: Error): void {
    for (const sql of this.#added) this.#kept.forget(sql);
    this.#done(error);
  }

  handleReadyForQuery(): void {
    this.#done(this.#rowError);
  }
}

const quotedItem = (item: unknown): string =>
  item === null || item === undefined ? 'NULL' : `"${boundText(item)!.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** Formats a bound value for PostgreSQL: instants as ISO 8601, arrays as array literals, other objects as JSON. */
export function boundText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(quotedItem).join(',')}}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Sends the statements together, as one transaction, and returns the rows of each.
 * @throws the PostgreSQL error of the first statement that fails; no statement has an effect in that case
 */
export function runBatch(client: ClientBase, statements: readonly Statement[]): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    const batch = new ReadBatch(
      statements,
      (type) => client.getTypeParser(type, 'text'),
      (error) => (error ? reject(error) : resolve(batch.rows)),
    );
    client.query(batch);
  });
}

/**
 * Row-level security makes planning expensive: prepared statements are planned once, whatever values are bound, and all
 * others for their values.
 */
const planned = (mode: 'force_generic_plan' | 'auto'): Statement => ({
  sql: `select set_config('plan_cache_mode', '${mode}', true)`,
  kept: true,
});
const PLANNED_ONCE = planned('force_generic_plan');
export const PLANNED_FOR_VALUES = planned('auto');

/** What the text of a statement starts with that a connection keeps prepared, also within a transaction that writes. */
const KEPT = '/* kept */ ';
export const keptText = (sql: string): string => KEPT + sql;

/** A connection that keeps such statements prepared, in whatever way they are sent. */
export class KeepingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the client's own function has an overload for each way to call it
  override query(...asked: any[]): any {
    const [sql, values] = asked;
    if (typeof sql !== 'string' || !sql.startsWith(KEPT)) return super.query(...(asked as [string]));
    const statement = { sql: sql.slice(KEPT.length), values, kept: true };
    return runBatch(this, [PLANNED_ONCE, statement, PLANNED_FOR_VALUES]).then(([, rows = []]) => ({
      command: 'SELECT',
      rowCount: rows.length,
      rows,
    }));
  }
}

/**
 * Collects what is asked in the same step of the event loop, so that calls made at once share a round trip.
 * @param run sends statements together and returns the rows of each
 */
export function askedAtOnce(run: (statements: readonly Statement[]) => Promise<Row[][]>) {
  let collected: { readonly statements: Statement[]; readonly rows: Promise<Row[][]> } | null = null;
  return async (statements: readonly Statement[]): Promise<Row[][]> => {
    if (!collected) {
      const all: Statement[] = [];
      const rows = Promise.resolve().then(() => {
        collected = null;
        return run(all);
      });
      collected = { statements: all, rows };
    }
    const { rows, statements: all } = collected;
    const first = all.length;
    all.push(...statements);
    return (await rows).slice(first, first + statements.length);
  };
}
