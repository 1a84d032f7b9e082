import { quoteText } from '@tapeline/lake/lake.ts';

/**
 * What a piece of SQL reads: nothing (a constant), exactly one coded column of the sheet (its index), or the rows. SQL
 * that reads only one coded column is evaluated once per distinct cell of that column.
 */
export type Reads = null | number | 'rows';

/** A piece of SQL, and the layer that must exist below it before its columns can be referenced. */
export interface Fragment {
  readonly sql: string;
  /**
   * Level among fragments with the same `reads`. 0 if it references only staged columns. A column of layer n can be
   * read from layer n + 1 on.
   */
  readonly level: number;
  readonly reads: Reads;
}

/** SQL that references no columns. */
export const raw = (sql: string): Fragment => ({ sql, level: 0, reads: null });
export const column = (name: string, reads: Exclude<Reads, null>): Fragment => ({ sql: name, level: 0, reads });
export const text = (value: string): Fragment => raw(quoteText(value));
export const NULL_TEXT = raw('CAST(NULL AS VARCHAR)');

/** A double, written so that SQL reads back exactly the same bits. */
export function numberConstant(value: number): Fragment {
  if (!Number.isFinite(value)) throw new Error(`${value} is not a number constant`);
  return raw(`CAST(${Object.is(value, -0) ? '0' : String(value)} AS DOUBLE)`);
}

/** Builds SQL from a template that can contain fragments. */
export function sql(parts: TemplateStringsArray, ...values: readonly (Fragment | string | number)[]): Fragment {
  let written = parts[0] ?? '';
  const fragments: Fragment[] = [];
  for (const [index, value] of values.entries()) {
    if (typeof value === 'object') {
      written += value.sql;
      fragments.push(value);
    } else {
      written += value;
    }
    written += parts[index + 1] ?? '';
  }
  return over(written, fragments);
}

export const join = (fragments: readonly Fragment[], separator: string): Fragment =>
  over(fragments.map((fragment) => fragment.sql).join(separator), fragments);

/**
 * SQL that references the columns of these fragments. Columns of distinct cells are at level 0 for SQL that reads rows.
 */
export function over(written: string, fragments: readonly Fragment[]): Fragment {
  let reads: Reads = null;
  for (const fragment of fragments) {
    if (fragment.reads === null || fragment.reads === reads) continue;
    reads = reads === null ? fragment.reads : 'rows';
  }
  let level = 0;
  for (const fragment of fragments) if (fragment.reads === reads) level = Math.max(level, fragment.level);
  return { sql: written, level, reads };
}
