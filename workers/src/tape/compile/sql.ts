import { quoteText } from '@tapeline/db/lake/lake.ts';

/**
 * What a piece of SQL reads: nothing (a constant), one coded column of the sheet alone (its place), or the rows. What
 * reads one coded column alone is worked out once a distinct cell of it.
 */
export type Reads = null | number | 'rows';

/** A piece of SQL, and the layer that has to stand below it before its columns can be named. */
export interface Fragment {
  readonly sql: string;
  /** Among what reads the same: 0 where it names only staged columns; a column of layer n is read from n + 1 on. */
  readonly level: number;
  readonly reads: Reads;
}

/** SQL that names no column. */
export const raw = (sql: string): Fragment => ({ sql, level: 0, reads: null });
/** A staged column. */
export const column = (name: string, reads: Exclude<Reads, null>): Fragment => ({ sql: name, level: 0, reads });
/** A text constant. */
export const text = (value: string): Fragment => raw(quoteText(value));
export const NULL_TEXT = raw('CAST(NULL AS VARCHAR)');

/** A double as SQL reads it back to the last bit. */
export function numberConstant(value: number): Fragment {
  if (!Number.isFinite(value)) throw new Error(`${value} is not a number constant`);
  return raw(`CAST(${Object.is(value, -0) ? '0' : String(value)} AS DOUBLE)`);
}

/** SQL from a template; fragments may stand in it. */
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

/** SQL that names what these fragments name. Columns of distinct cells stand at the bottom of what reads rows. */
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
