import { MAX_MAPPING_NODES } from '@tapeline/domain/tapes/formulas/formula.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAgreement, useDuckDb } from './testing/cases.ts';
import type { Cell } from './testing/held.ts';
import { blank, day, mappingOf, number, sheetError, words } from './testing/mapped-rows.ts';
import { HEADERS } from './testing/random-mappings.ts';
import { formulaArbitrary } from './testing/random-steps.ts';

const duckdb = useDuckDb();

const isPlanned = (rules: RuleInput[]): boolean => planMapping(mappingOf(rules)).issues.length === 0;

const calculated = (formula: string, targetCol = 'customFields.result'): RuleInput => ({
  targetCol,
  serializations: [{ type: 'calculate', formula }],
});

/** The results of a formula, or the reasons of their errors. */
async function resultsOf(formula: string, rows: readonly Record<string, Cell>[], before: RuleInput[] = []) {
  const compiled = await expectAgreement(duckdb(), [...before, calculated(formula)], rows);
  return compiled.map(({ asset, errors }) => errors[0]?.reason ?? asset?.['customFields.result']);
}

describe('a formula', () => {
  test('calculates from several columns', async () => {
    const rows = [
      { balance: number(75), 'Appraised value': number(300) },
      { balance: words('1,250.50'), 'Appraised value': words('2501') },
      { balance: number(75), 'Appraised value': number(0) },
      { balance: blank, 'Appraised value': number(300) },
      { balance: number(75), 'Appraised value': words('unknown') },
      { balance: sheetError('#N/A'), 'Appraised value': words('unknown') },
    ];
    expect(await resultsOf('balance / [Appraised value] * 100', rows)).toEqual([
      25,
      50,
      'is divided by zero',
      null,
      'the value of "Appraised value" is not a number',
      'the value of "balance" is a spreadsheet error',
    ]);
  });

  test('counts the time between dates, each read as its own rule reads it', async () => {
    const rows = [
      { 'Last Paid': day(43281) },
      { 'Last Paid': words('06/01/2018') },
      { 'Last Paid': words('2018-06-01') },
      { 'Last Paid': blank },
    ];
    const reading: RuleInput = {
      originCol: 'Last Paid',
      targetCol: 'lastPaymentDate',
      serializations: [{ type: 'date', format: 'american' }],
      onUnreadable: 'empty',
    };
    const expected = [0, 29, 'the value of "Last Paid" is not a date in the expected format', null];
    expect(await resultsOf('cutOff - [Last Paid] in days', rows, [reading])).toEqual(expected);
    expect(await resultsOf('(cutOff - lastPaymentDate in days) * 2', rows, [reading])).toEqual([0, 58, null, null]);
  });

  test('keeps the digits of money, as the same steps do', async () => {
    const before: RuleInput[] = [
      { originCol: 'a', targetCol: 'sum', serializations: [{ type: 'SerializedSum' }] },
      { originCol: 'b', targetCol: 'sums.arrears', serializations: [{ type: 'SerializedSum' }] },
      {
        targetCol: 'outstandingSum',
        serializations: [{ type: 'calculate', formula: 'sum + sums.arrears * 3 - 0.1' }, { type: 'SerializedSum' }],
      },
      {
        originCol: 'a',
        targetCol: 'sums.recoveries',
        serializations: [{ type: 'calculate', formula: 'max(-sum, abs(sums.arrears))' }, { type: 'SerializedSum' }],
      },
    ];
    const rows = [{ a: words('99999999999999.99'), b: words('-0.01') }];
    const [row] = await expectAgreement(duckdb(), before, rows);
    expect(row?.asset?.['sums.outstandingSum']).toBe('99999999999999.8600');
    expect(row?.asset?.['sums.recoveries']).toBe('0.0100');
  });

  test('takes the result of the step before as its value', async () => {
    const rule: RuleInput = {
      originCol: 'x',
      targetCol: 'monthsOnBook',
      serializations: [{ type: 'absolute' }, { type: 'calculate', formula: 'value + x' }],
    };
    const compiled = await expectAgreement(duckdb(), [rule], [{ x: number(-2) }, { x: number(3) }]);
    expect(compiled.map(({ asset }) => asset?.monthsOnBook)).toEqual([0, 6]);
  });

  test('equals its plain interpretation, whatever it is and whatever the cells hold', async () => {
    const cell: fc.Arbitrary<Cell> = fc.oneof(
      fc.constantFrom<Cell>(blank, words('12.5'), words('abc'), words('2018-01-31'), sheetError('#N/A'), day(43281)),
      fc.constantFrom(0, 1, -1, 2.5, 0.1, 0.3, 1e14, 1e15, -99999999999999.98).map(number),
      fc.integer({ min: -100_000, max: 100_000 }).map((cents) => number(cents / 100)),
    );
    const row = fc.record(Object.fromEntries(HEADERS.map((header) => [header, cell])));
    const before: RuleInput[] = [
      { originCol: 'a', targetCol: 'sum', serializations: [{ type: 'SerializedSum' }], onUnreadable: 'empty' },
      { originCol: 'b', targetCol: 'currentLtv', serializations: [{ type: 'percentage' }], onUnreadable: 'empty' },
    ];
    const names = [...HEADERS, 'sum', 'currentLtv', 'customFields.f0', 'sum', 'sum', 'currentLtv'];
    const named = formulaArbitrary.map((formula) =>
      formula.replaceAll('value', 'sum').replaceAll(/@(\d)/g, (_, index) => names[Number(index)] ?? 'a'),
    );
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(named, { minLength: 1, maxLength: 5 }),
        fc.array(row, { minLength: 3, maxLength: 12 }),
        async (formulas, rows) => {
          const rules = formulas.map((formula, index) => ({
            ...calculated(
              formula.replaceAll('customFields.f0', index === 0 ? 'c' : 'customFields.f0'),
              `customFields.f${index}`,
            ),
            onUnreadable: 'empty' as const,
          }));
          const usable = [...before];
          for (const rule of rules) if (isPlanned([...usable, rule])) usable.push(rule);
          compared += usable.length - before.length;
          await expectAgreement(duckdb(), usable, rows);
        },
      ),
      { numRuns: Number(process.env.FC_RUNS ?? 60) },
    );
    expect(compared).toBeGreaterThan(30);
  });

  test('compiles where a mapping has as many and as long ones as it may', async () => {
    const each = 100;
    const sum = Array.from({ length: each / 2 }, (_, index) => (index % 2 === 0 ? 'a' : '[b]')).join(' - ');
    const rules = Array.from({ length: Math.floor(MAX_MAPPING_NODES / each) }, (_, index) =>
      calculated(sum, `customFields.f${index}`),
    );
    const [row] = await expectAgreement(duckdb(), rules, [{ a: number(1), b: number(2) }]);
    expect(row?.asset?.['customFields.f0']).toBe(1 - 2 * 25 - 24);
  });
});
