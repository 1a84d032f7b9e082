import type { PreparedContract, PreparedRule } from '@tapeline/domain/borrowing-base/prepare.ts';
import { ASSET_ID_PATH } from '@tapeline/domain/borrowing-base/prepare.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { filterToDuckDb } from '@tapeline/domain/filters/duckdb.ts';
import { type Filter, isEverything } from '@tapeline/domain/filters/filter.ts';

/** Where an answer stands among an asset's mask words. */
export interface BitPosition {
  readonly word: number;
  readonly shift: number;
}

/** Two bits: 0 false, 1 true, 2 unknown. Null: the filter passes everything. */
export type StatePosition = BitPosition | null;

/** Bits used of each 32-bit word, so that none is a sign. */
const WORD_BITS = 30;

/** Where everything that SQL judges of an asset stands in its mask words. */
export interface MaskLayout {
  readonly words: number;
  /** One bit each, set where the rule is failed; null where no asset can fail it. */
  readonly eligibility: readonly (BitPosition | null)[];
  readonly performance: readonly (BitPosition | null)[];
  readonly scopes: readonly StatePosition[];
  readonly values: readonly StatePosition[];
  readonly concentration: readonly { readonly filter: StatePosition; readonly excepted: BitPosition | null }[];
  /** One bit each, set where the case's filter is met; null where every asset meets it. */
  readonly cases: readonly (BitPosition | null)[];
  /** Set where the column is missing, by column name. */
  readonly missing: ReadonlyMap<string, BitPosition>;
}

/** SQL that makes the mask words in two steps, with its parameters. */
export interface MaskSql {
  readonly layout: MaskLayout;
  /** First step: each distinct condition once, as boolean columns (`expression AS p0`). */
  readonly conditions: readonly string[];
  /** Second step, over the first: one INTEGER expression a word. */
  readonly words: readonly string[];
  readonly values: readonly (string | boolean)[];
}

/** Compiles every filter of a contract to bits of a few integers: one pass of SQL then judges all rules of all assets. */
export function compileMasks(
  prepared: PreparedContract,
  column: (field: Field) => string,
  columnNamed: (name: string) => string,
  measuredColumns: readonly string[],
): MaskSql {
  const words: string[][] = [];
  const values: (string | boolean)[] = [];
  let used = WORD_BITS;
  // A CASE a bit is a third cheaper than casting and multiplying, and takes unknown for not true by itself.
  const place = (expression: (bit: number) => string, bits: number): BitPosition => {
    if (used + bits > WORD_BITS) {
      words.push([]);
      used = 0;
    }
    const position = { word: words.length - 1, shift: used };
    words.at(-1)?.push(expression(2 ** used));
    used += bits;
    return position;
  };
  // Rules repeat each other's conditions: each is judged once.
  const conditions = new Map<string, string>();
  const conditionSql = (key: string, expression: () => string): string => {
    if (!conditions.has(key)) conditions.set(key, `${expression()} AS p${conditions.size}`);
    return `p${[...conditions.keys()].indexOf(key)}`;
  };
  const sqlOf = (filter: Filter): string => {
    if (filter.kind === 'not') return `(NOT ${sqlOf(filter.filter)})`;
    if (filter.kind === 'and' || filter.kind === 'or') {
      if (filter.filters.length === 0) return 'TRUE';
      return `(${filter.filters.map(sqlOf).join(filter.kind === 'and' ? ' AND ' : ' OR ')})`;
    }
    return conditionSql(JSON.stringify(filter), () => {
      const compiled = filterToDuckDb(filter, column, values.length + 1);
      values.push(...compiled.values);
      return compiled.sql;
    });
  };
  const state = (filter: Filter): StatePosition => {
    if (isEverything(filter)) return null;
    const sql = sqlOf(filter);
    return place((bit) => `CASE WHEN ${sql} THEN ${bit} WHEN ${sql} IS NULL THEN ${bit * 2} ELSE 0 END`, 2);
  };
  const bitWhere = (sql: string): BitPosition => place((bit) => `CASE WHEN ${sql} THEN ${bit} ELSE 0 END`, 1);
  const exceptions = (rule: PreparedRule): string[] => [
    ...(rule.exceptIds.length === 0 ? [] : [anyOf(rule.exceptIds)]),
    ...rule.exceptFilters.map(sqlOf),
  ];
  const anyOf = (ids: readonly string[]): string =>
    conditionSql(JSON.stringify(ids), () => {
      const marks = ids.map((id) => `CAST($${values.push(id)} AS VARCHAR)`);
      return `(${columnNamed(ASSET_ID_PATH)} IN (${marks.join(', ')}))`;
    });
  const failure = (rule: PreparedRule): BitPosition | null => {
    if (isEverything(rule.filter)) return null;
    const passes = [sqlOf(rule.filter), ...exceptions(rule)].join(' OR ');
    return place((bit) => `CASE WHEN ${passes} THEN 0 ELSE ${bit} END`, 1);
  };

  const layout = {
    eligibility: prepared.eligibility.map(failure),
    performance: prepared.performance.map(failure),
    scopes: prepared.scopes.map((scope) => state(scope.filter)),
    values: prepared.values.map((value) => state(value.filter)),
    concentration: prepared.concentration.map((rule) => {
      const filter = state(rule.filter);
      const passed = exceptions(rule);
      return { filter, excepted: passed.length === 0 ? null : bitWhere(passed.join(' OR ')) };
    }),
    cases: prepared.cases.map((rateCase) => (isEverything(rateCase.filter) ? null : bitWhere(sqlOf(rateCase.filter)))),
    missing: new Map(
      measuredColumns.map(
        (name) => [name, bitWhere(conditionSql(`missing ${name}`, () => `(${columnNamed(name)} IS NULL)`))] as const,
      ),
    ),
  };
  return {
    layout: { words: words.length, ...layout },
    conditions: [...conditions.values()],
    words: words.map(joinBits),
    values,
  };
}

const joinBits = (bits: readonly string[]): string => `CAST(${bits.join(' | ')} AS INTEGER)`;
