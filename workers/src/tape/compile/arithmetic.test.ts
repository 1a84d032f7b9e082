import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import type { SerializationInput } from '@tapeline/domain/tapes/serialization.schema.ts';
import { describe, expect, test } from 'vitest';
import { expectAgreement, expectCases, useDuckDb } from './testing/cases.ts';
import { blank, number, words } from './testing/mapped-rows.ts';

const duckdb = useDuckDb();

describe('arithmetic', () => {
  const cases: [SerializationInput, number, number | { reason: string }][] = [
    [{ type: 'add', value: 2 }, 3, 5],
    [{ type: 'subtract', column: 'other col' }, 3, -1],
    [{ type: 'multiply', column: 'other col' }, 3, 12],
    [{ type: 'divide', column: 'other col' }, 3, 0.75],
    [{ type: 'divide', value: 0 }, 3, { reason: 'is divided by zero' }],
    [{ type: 'power', value: 3 }, 3, 27],
    [{ type: 'power', value: 0.5 }, -4, { reason: 'cannot be calculated' }],
    [{ type: 'power', value: 1000 }, 10, { reason: 'cannot be calculated' }],
    [{ type: 'multiply', value: 1e300 }, 1e300, { reason: 'cannot be calculated' }],
    [{ type: 'absolute' }, -3, 3],
    [{ type: 'negate' }, 3, -3],
    [{ type: 'round' }, 2.5, 3],
    [{ type: 'round', digits: 2 }, 1.005, 1.01],
    [{ type: 'round', digits: 2 }, -1.005, -1.01],
    [{ type: 'min', column: 'other col' }, 3, 3],
    [{ type: 'max', column: 'other col' }, 3, 4],
  ];
  test.each(cases)('%j of %d is %j', (step, from, to) =>
    expectCases(duckdb(), 'monthsOnBook', [step], [[number(from), to as number]]),
  );

  test('a missing side leaves the result missing, and a invalid one says which column', async () => {
    const rules: RuleInput[] = [
      { originCol: 'x', targetCol: 'monthsOnBook', serializations: [{ type: 'max', column: 'y' }] },
    ];
    const rows = [
      { x: number(1), y: blank },
      { x: blank, y: number(1) },
      { x: number(1), y: words('abc') },
      { x: words('abc'), y: words('abc') },
    ];
    const compiled = await expectAgreement(duckdb(), rules, rows);
    expect(compiled.map(({ asset, errors }) => asset?.monthsOnBook ?? errors[0]?.reason ?? null)).toEqual([
      null,
      null,
      'the value of "y" is not a number',
      'is not a number',
    ]);
  });
});
