import type { PreparedContract, PreparedRule } from '@tapeline/domain/borrowing-base/prepare.ts';
import { ASSET_ID_PATH, measuredFields } from '@tapeline/domain/borrowing-base/prepare.ts';
import { type Filter, isEverything } from '@tapeline/domain/filters/filter.ts';
import type { AssetTests, TestStep } from './asset-tests.ts';

/** Where the answer to a question about each asset is: a bit of one of the asset's integers. */
export interface Answer {
  readonly word: number;
  readonly shift: number;
}

/** Two bits: 0 false, 1 true, 2 unknown. Null if the filter accepts every asset. */
export type FilterAnswer = Answer | null;

/** Bits used of each 32-bit integer. Leaves the sign bit unused. */
const WORD_BITS = 30;

/** What a contract asks of every asset, and where the answers are. */
export interface AnswerLayout {
  /** Integers of each asset. */
  readonly words: number;
  /** One bit each, set if the asset fails the rule; null if no asset can fail it. */
  readonly eligibility: readonly (Answer | null)[];
  /** By eligibility rule about whole groups: one bit each, set if the asset is excepted; null for all others. */
  readonly excepted: readonly (Answer | null)[];
  readonly performance: readonly (Answer | null)[];
  readonly scopes: readonly FilterAnswer[];
  readonly values: readonly FilterAnswer[];
  readonly concentration: readonly { readonly filter: FilterAnswer; readonly excepted: Answer | null }[];
  /** One bit each, set if the asset matches the case's filter; null if every asset matches it. */
  readonly cases: readonly (Answer | null)[];
  /** By column name: one bit each, set if the value is missing. */
  readonly missing: ReadonlyMap<string, Answer>;
}

/** A bit that is set from the result of a test: where it is true, where it is not, or where it is unknown. */
export interface AnswerBit extends Answer {
  readonly test: number;
  readonly of: 'true' | 'notTrue' | 'unknown';
}

/** The tests of a block of rows, in the order in which they run, and the bits that they set. Plain data. */
export interface AnswerPlan {
  readonly steps: readonly TestStep[];
  readonly bits: readonly AnswerBit[];
}

/** Whether the bit of an answer is set. @param words the integers of all assets, an array for each word */
export const isSet = (words: readonly Int32Array[], { word, shift }: Answer, asset: number): boolean =>
  ((words[word]![asset]! >>> shift) & 1) === 1;

/** Whether a filter is false (0), true (1) or unknown (2) of an asset. */
export const stateOf = (words: readonly Int32Array[], { word, shift }: Answer, asset: number): number =>
  (words[word]![asset]! >>> shift) & 3;

/** Plans the answers to everything that a contract asks, from one pass over the assets. */
export function planAnswers(prepared: PreparedContract, tests: AssetTests): { layout: AnswerLayout; plan: AnswerPlan } {
  const bits: AnswerBit[] = [];
  let [words, used] = [0, WORD_BITS];
  const put = (test: number, ...of: readonly AnswerBit['of'][]): Answer => {
    if (used + of.length > WORD_BITS) {
      words += 1;
      used = 0;
    }
    const answer = { word: words - 1, shift: used };
    for (const [at, each] of of.entries()) bits.push({ word: answer.word, shift: used + at, test, of: each });
    used += of.length;
    return answer;
  };
  const filterAnswer = (filter: Filter): FilterAnswer =>
    isEverything(filter) ? null : put(tests.whole(filter), 'true', 'unknown');
  const exceptions = (rule: PreparedRule): number[] => [
    ...(rule.exceptIds.length === 0 ? [] : [tests.isOneOf(ASSET_ID_PATH, rule.exceptIds)]),
    ...rule.exceptFilters.map((filter) => tests.matches(filter)),
  ];
  const failure = (rule: PreparedRule): Answer | null =>
    isEverything(rule.filter) ? null : put(tests.any([tests.matches(rule.filter), ...exceptions(rule)]), 'notTrue');

  const layout = {
    eligibility: prepared.eligibility.map(failure),
    performance: prepared.performance.map(failure),
    scopes: prepared.scopes.map((scope) => filterAnswer(scope.filter)),
    values: prepared.values.map((value) => filterAnswer(value.filter)),
    concentration: prepared.concentration.map((rule) => {
      const excepted = exceptions(rule);
      return {
        filter: filterAnswer(rule.filter),
        excepted: excepted.length === 0 ? null : put(tests.any(excepted), 'true'),
      };
    }),
    excepted: prepared.eligibility.map((rule) => {
      const excepted = rule.wholeGroup ? exceptions(rule) : [];
      return excepted.length === 0 ? null : put(tests.any(excepted), 'true');
    }),
    cases: prepared.cases.map(({ filter }) => (isEverything(filter) ? null : put(tests.matches(filter), 'true'))),
    missing: new Map(
      measuredFields(prepared).map(({ field }) => [field.path, put(tests.isPresent(field), 'notTrue')] as const),
    ),
  };
  return { layout: { words, ...layout }, plan: { steps: tests.steps, bits } };
}
