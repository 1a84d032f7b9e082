import type { PreparedContract, PreparedRule } from '@tapeline/domain/borrowing-base/prepare.ts';
import { ASSET_ID_PATH, measuredFields } from '@tapeline/domain/borrowing-base/prepare.ts';
import { type Filter, isEverything } from '@tapeline/domain/filters/filter.ts';
import type { Inputs } from './inputs.ts';
import { logic, type Truths } from './truths.ts';

/** The position of an answer in an asset's mask words. */
export interface BitPosition {
  readonly word: number;
  readonly shift: number;
}

/** Position of two bits: 0 false, 1 true, 2 unknown. Null if the filter accepts every asset. */
export type StatePosition = BitPosition | null;

/** Bits used of each 32-bit word. Leaves the sign bit unused. */
const WORD_BITS = 30;

/** The positions of all evaluated answers in an asset's mask words. */
export interface MaskLayout {
  readonly words: number;
  /** One bit each, set if the asset fails the rule; null if no asset can fail it. */
  readonly eligibility: readonly (BitPosition | null)[];
  readonly performance: readonly (BitPosition | null)[];
  readonly scopes: readonly StatePosition[];
  readonly values: readonly StatePosition[];
  readonly concentration: readonly { readonly filter: StatePosition; readonly excepted: BitPosition | null }[];
  /** One bit each, set if the asset matches the case's filter; null if every asset matches it. */
  readonly cases: readonly (BitPosition | null)[];
  /** By column name: one bit each, set if the value is missing. */
  readonly missing: ReadonlyMap<string, BitPosition>;
}

/**
 * Compiles every filter of a contract to bits of a few integers, computed in one pass over the rows.
 * @returns the layout of the bits, and the body of the `Judge` that sets them
 */
export function compileJudge(
  prepared: PreparedContract,
  inputs: Inputs,
  truths: Truths,
): { layout: MaskLayout; judge: string } {
  const { either, opposite } = logic;
  const words: string[][] = [];
  let used = WORD_BITS;
  const place = (...bits: readonly string[]): BitPosition => {
    if (used + bits.length > WORD_BITS) {
      words.push([]);
      used = 0;
    }
    const position = { word: words.length - 1, shift: used };
    for (const [at, bit] of bits.entries()) words.at(-1)?.push(`${bit} << ${used + at}`);
    used += bits.length;
    return position;
  };
  const state = (filter: Filter): StatePosition =>
    isEverything(filter) ? null : place(truths.isTrue(filter), truths.isUnknown(filter));
  const exceptions = (rule: PreparedRule): string =>
    [
      ...(rule.exceptIds.length === 0 ? [] : [truths.isOneOf(ASSET_ID_PATH, rule.exceptIds)]),
      ...rule.exceptFilters.map((filter) => truths.isTrue(filter)),
    ].reduce(either, '0');
  const failure = (rule: PreparedRule): BitPosition | null =>
    isEverything(rule.filter) ? null : place(opposite(either(truths.isTrue(rule.filter), exceptions(rule))));

  const layout = {
    eligibility: prepared.eligibility.map(failure),
    performance: prepared.performance.map(failure),
    scopes: prepared.scopes.map((scope) => state(scope.filter)),
    values: prepared.values.map((value) => state(value.filter)),
    concentration: prepared.concentration.map((rule) => {
      const hasExceptions = rule.exceptIds.length + rule.exceptFilters.length > 0;
      return { filter: state(rule.filter), excepted: hasExceptions ? place(exceptions(rule)) : null };
    }),
    cases: prepared.cases.map(({ filter }) => (isEverything(filter) ? null : place(truths.isTrue(filter)))),
    missing: new Map(
      measuredFields(prepared).map(({ field }) => [field.path, place(opposite(truths.isPresent(field)))] as const),
    ),
  };
  // Generate one function for all rules, so that each value is loaded once and the bits of a row stay in registers.
  const columns = Array.from({ length: inputs.length }, (_, index) => [
    `const values${index} = values[${index}];`,
    `const present${index} = present[${index}];`,
  ]);
  const targets = words.map((_, word) => `const word${word} = words[${word}];`);
  const stores = words.map((bits, word) => `word${word}[place] = ${bits.join(' | ')};`);
  const judge = [
    ...columns.flat(),
    ...targets,
    'for (let row = 0; row < rows; row += 1) {',
    'const place = sequence[row];',
    ...truths.lines,
    ...stores,
    '}',
  ].join('\n');
  return { layout: { words: words.length, ...layout }, judge };
}
