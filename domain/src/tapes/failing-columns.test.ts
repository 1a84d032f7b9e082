import { describe, expect, it } from 'vitest';
import { failingColumns } from './failing-columns.ts';
import { planMapping } from './mapping-plan.ts';
import { type RuleInput, rulesSchema } from './rule.schema.ts';

const HEADERS = ['Loan', 'Balance', 'Currency', 'Value', 'Status', 'Month', 'Day', 'State'];
const ORIGIN = Object.fromEntries(HEADERS.map((header) => [header, 'x']));
const RULES: RuleInput[] = [
  { originCol: 'Loan', targetCol: 'assetId', checks: ['Mandatory'], serializations: [{ type: 'text' }] },
  {
    originCol: 'Balance',
    targetCol: 'sums.outstandingSum',
    serializations: [{ type: 'SerializedSum', currencyColumn: 'Currency' }],
  },
  {
    originCol: 'Balance',
    targetCol: 'currentLtv',
    serializations: [
      { type: 'number' },
      { type: 'divide', column: 'Value' },
      { type: 'SerializedPercentage', scale: 'zeroTo1' },
    ],
  },
  { originCol: 'Month', targetCol: 'month', checks: ['Temporary'], serializations: [{ type: 'text' }] },
  {
    originCol: null,
    targetCol: 'dateFinanced',
    serializations: [
      { type: 'concat', parts: [{ column: 'month' }, { column: 'Day' }], separator: '-' },
      { type: 'date', format: 'ISO' },
    ],
  },
  {
    originCol: null,
    targetCol: 'isDelinquent',
    serializations: [
      // biome-ignore lint/suspicious/noThenProperty: `then` is part of the mapping's contract; a step is never awaited
      { type: 'ifStatement', filter: { Status: 'late' }, then: true, else: false },
      { type: 'boolean' },
    ],
  },
];
const plan = planMapping({ rules: rulesSchema.parse(RULES), extractedOriginColsFromLoanTape: HEADERS });

const failing = (rule: number, column: string | null, reason: string, origin: Record<string, string | null> = ORIGIN) =>
  [...failingColumns({ origin, errors: [{ rule, column, target: 't', value: null, reason }] }, plan)].sort();

it('plans the rules of this test', () => expect(plan.issues).toEqual([]));

describe('the cells that made a row fail', () => {
  it.each([
    ['a cell that cannot be converted', 2, 'Balance', '"see note" is not a number', ['Balance']],
    ['the same cell before a calculation', 3, 'Balance', '"see note" is not a number', ['Balance']],
    ['a column that the reason names', 2, 'Balance', 'the value of "Currency" is not a currency code', ['Currency']],
    ['a calculation', 3, 'Balance', '"5" is divided by zero', ['Balance', 'Value']],
    ['a bound on an amount', 2, 'Balance', '"-5" is below 0', ['Balance']],
    [
      'an amount that differs from the earlier tape',
      2,
      'Balance',
      'Sum was 5 USD on the tape of 31 Oct 2026 and is now 5 EUR',
      ['Balance', 'Currency'],
    ],
    [
      'a computed value, through earlier rules',
      5,
      null,
      '"x-x" is not a date in the expected format',
      ['Day', 'Month'],
    ],
    ['a decision', 6, null, '"true" must be false', ['Status']],
    ['a rule that the mapping does not have', 99, 'State', 'is wrong', ['State']],
  ])('%s', (_, rule, column, reason, expected) => {
    expect(failing(rule, column, reason)).toEqual(expected);
  });

  it('a blank cell is the one to fill, whatever its rule reads beside it', () => {
    expect(failing(3, 'Balance', 'Balance is missing', { ...ORIGIN, Balance: null })).toEqual(['Balance']);
  });

  it('names no column that the row does not have', () => {
    expect(failing(99, 'Gone', 'Gone is missing')).toEqual([]);
  });

  it('is found through many rules that each use the two before them', () => {
    const rules = Array.from({ length: 200 }, (_, at): RuleInput => {
      const parts = [Math.max(0, at - 1), Math.max(0, at - 2)].map((used) => ({ column: `t${used}` }));
      return at === 0
        ? { originCol: 'Loan', targetCol: 't0', checks: ['Temporary'], serializations: [{ type: 'text' }] }
        : { originCol: null, targetCol: `t${at}`, serializations: [{ type: 'concat', parts }] };
    });
    const problem = { rule: 200, column: null, target: 't199', value: null, reason: 't199 is missing' };
    const found = failingColumns(
      { origin: ORIGIN, errors: [problem] },
      planMapping({ rules: rulesSchema.parse(rules) }),
    );
    expect([...found]).toEqual(['Loan']);
  });
});
