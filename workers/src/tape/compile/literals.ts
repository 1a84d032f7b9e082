import { type DuckDBConnection, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import { type Fragment, raw } from './sql.ts';

/**
 * Maximum number of texts in one variable of a connection. Reading one text copies the whole list, so the lists are
 * short.
 */
const TEXTS_TOGETHER = 30;

/** A variable of the connection. Statements read it when they are planned. */
export interface TextVariable {
  readonly name: string;
  readonly texts: readonly string[];
}

let count = 0;

/**
 * Texts written by a mapping's author. They never appear in SQL. They are bound to variables of the connection, which
 * DuckDB treats as constants when it plans a statement. Parameters would force every statement to be replanned for each
 * batch.
 */
export class Literals {
  /** Unique per compilation, because one connection runs the programs of many. */
  readonly #prefix = `literals_${++count}_`;
  readonly #places = new Map<string, number>();

  of(text: string): Fragment {
    const index = this.#places.get(text) ?? this.#places.size;
    this.#places.set(text, index);
    return raw(`getvariable('${this.#prefix}${Math.floor(index / TEXTS_TOGETHER)}')[${(index % TEXTS_TOGETHER) + 1}]`);
  }

  get variables(): TextVariable[] {
    const texts = [...this.#places.keys()];
    const starts = Array.from({ length: Math.ceil(texts.length / TEXTS_TOGETHER) }, (_, at) => at * TEXTS_TOGETHER);
    return starts.map((start, at) => ({
      name: `${this.#prefix}${at}`,
      texts: texts.slice(start, start + TEXTS_TOGETHER),
    }));
  }
}

/**
 * Binds the texts. They must stay bound as long as the statements that read them exist, because DuckDB may replan
 * those.
 */
export async function bindTexts(connection: DuckDBConnection, variables: readonly TextVariable[]): Promise<void> {
  for (const { name, texts } of variables) {
    await connection.run(`SET VARIABLE ${name} = $1`, [listValue(texts)], [LIST(VARCHAR)]);
  }
}

export async function releaseTexts(connection: DuckDBConnection, variables: readonly TextVariable[]): Promise<void> {
  for (const { name } of variables) await connection.run(`RESET VARIABLE ${name}`);
}
