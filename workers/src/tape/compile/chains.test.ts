import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import { describe, expect, test } from 'vitest';
import { useDuckDb } from './testing/cases.ts';
import type { Cell } from './testing/held.ts';
import { comparable, number, runCompiled, runInterpreted, words } from './testing/mapped-rows.ts';

const duckdb = useDuckDb();

const RULES = 299;
const NO_NUMBER = 'is not a number';

/**
 * The first rule of each chain reads its own column. Every other rule adds the result of the rule that `before` returns
 * to it.
 */
const chained = (before: (index: number) => number | null): RuleInput[] =>
  Array.from({ length: RULES }, (_, index) => {
    const source = before(index);
    return {
      originCol: `c${index}`,
      targetCol: `f${index}`,
      serializations: source === null ? [{ type: 'number' }] : [{ type: 'add', column: `f${source}` }],
    };
  });

const row: Record<string, Cell> = Object.fromEntries(
  Array.from({ length: RULES }, (_, index) => [`c${index}`, number(1)]),
);

describe('299 rules', () => {
  // The last figure is the number of ones that the last rule adds.
  test.each<[string, (index: number) => number | null, number]>([
    ['none of which needs another', () => null, 1],
    ['of which each needs the one before', (index) => (index === 0 ? null : index - 1), RULES],
    ['in a tree', (index) => (index === 0 ? null : (index - 1) >> 1), 9],
    ['in chains of forty', (index) => (index % 40 === 0 ? null : index - 1), 19],
  ])('%s come to what the plain interpretation says', async (_, before, last) => {
    const rules = chained(before);
    // An error in the middle does not affect unrelated rules. Rules that depend on the failed one get no value.
    const rows = [row, { ...row, c150: words('x') }, { ...row, c298: words('y'), c0: words('') }];
    const compiled = await runCompiled(duckdb(), rules, rows);
    expect(comparable(compiled)).toEqual(comparable(runInterpreted(rules, rows)));
    expect(compiled[0]?.asset?.[`customFields.f${RULES - 1}`]).toBe(last);
    expect(compiled.map(({ errors }) => errors.map(({ reason }) => reason))).toEqual([[], [NO_NUMBER], [NO_NUMBER]]);
  });
});
