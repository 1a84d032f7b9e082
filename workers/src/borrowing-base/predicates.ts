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

/** SQL that makes the mask words, with its parameters. */
export interface MaskSql {
  readonly layout: MaskLayout;
  /** One INTEGER expression a word. */
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
  const place = (expression: string, bits: number): BitPosition => {
    if (used + bits > WORD_BITS) {
      words.push([]);
      used = 0;
    }
    const position = { word: words.length - 1, shift: used };
    words.at(-1)?.push(used === 0 ? expression : `(${expression}) * ${2 ** used}`);
    used += bits;
    return position;
  };
  const sqlOf = (filter: Filter): string => {
    const compiled = filterToDuckDb(filter, column, values.length + 1);
    values.push(...compiled.values);
    return compiled.sql;
  };
  const state = (filter: Filter): StatePosition =>
    isEverything(filter) ? null : place(`COALESCE(CAST((${sqlOf(filter)}) AS INTEGER), 2)`, 2);
  const exceptions = (rule: PreparedRule): string[] => [
    ...(rule.exceptIds.length === 0 ? [] : [`COALESCE(${anyOf(rule.exceptIds)}, FALSE)`]),
    ...rule.exceptFilters.map((filter) => `((${sqlOf(filter)}) IS TRUE)`),
  ];
  const anyOf = (ids: readonly string[]): string => {
    const marks = ids.map((id) => `CAST($${values.push(id)} AS VARCHAR)`);
    return `(${columnNamed(ASSET_ID_PATH)} IN (${marks.join(', ')}))`;
  };
  const failure = (rule: PreparedRule): BitPosition | null => {
    if (isEverything(rule.filter)) return null;
    const fails = `(${sqlOf(rule.filter)}) IS NOT TRUE`;
    const unless = exceptions(rule).map((exception) => ` AND NOT ${exception}`);
    return place(`CAST((${fails}${unless.join('')}) AS INTEGER)`, 1);
  };

  const layout = {
    eligibility: prepared.eligibility.map(failure),
    performance: prepared.performance.map(failure),
    scopes: prepared.scopes.map((scope) => state(scope.filter)),
    values: prepared.values.map((value) => state(value.filter)),
    concentration: prepared.concentration.map((rule) => {
      const filter = state(rule.filter);
      const passed = exceptions(rule);
      return { filter, excepted: passed.length === 0 ? null : place(`CAST((${passed.join(' OR ')}) AS INTEGER)`, 1) };
    }),
    cases: prepared.cases.map((rateCase) =>
      isEverything(rateCase.filter) ? null : place(`CAST(((${sqlOf(rateCase.filter)}) IS TRUE) AS INTEGER)`, 1),
    ),
    missing: new Map(
      measuredColumns.map((name) => [name, place(`CAST((${columnNamed(name)} IS NULL) AS INTEGER)`, 1)] as const),
    ),
  };
  return { layout: { words: words.length, ...layout }, words: words.map(joinBits), values };
}

/** Bits never overlap, so that adding them joins them. */
const joinBits = (bits: readonly string[]): string => `CAST(${bits.join(' + ')} AS INTEGER)`;
