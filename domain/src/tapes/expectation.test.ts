import { expect, test } from 'vitest';
import { expectationOf, expectationsByHeader } from './expectation.ts';
import { mappingRuleSchema, type RuleInput } from './rule.schema.ts';

const rule = (more: Partial<RuleInput>) =>
  mappingRuleSchema.parse({
    originCol: 'Balance',
    targetCol: 'sums.outstandingSum',
    serializations: [{ type: 'text' }],
    ...more,
  });

test.each<[Partial<RuleInput>, string]>([
  [{}, ''],
  [{ checks: ['Mandatory', 'Unique', 'Temporary'] }, 'Not blank; unique in the tape'],
  [
    {
      serializations: [{ type: 'trim' }, { type: 'SerializedSum', currency: 'USD', unit: 'thousands' }],
      checks: ['Mandatory', 'Consistent'],
      validations: [
        { kind: 'minNumber', value: 0 },
        { kind: 'maxNumber', value: 1_000_000 },
      ],
    },
    'An amount in USD, in thousands; not blank; same as on the earlier tape; at least 0; at most 1000000',
  ],
  [{ serializations: [{ type: 'date', format: 'american' }] }, 'A date as 10/31/2026'],
  [
    {
      serializations: [{ type: 'date', format: 'ISO' }],
      validations: [
        { kind: 'minDate', value: '2020-01-01' },
        { kind: 'maxDate', value: '2026-12-31' },
      ],
    },
    'A date as 2026-10-31; not before 1 Jan 2020; not after 31 Dec 2026',
  ],
  [{ serializations: [{ type: 'percentage', scale: 'zeroTo1' }] }, 'Decimal: 0.05 = 5%'],
  [{ serializations: [{ type: 'SerializedTerm', unit: 'months' }] }, 'A number of months'],
  [
    {
      serializations: JSON.parse(
        '[{"type":"switchCase","cases":[{"equals":["A","B"],"then":1},{"equals":7,"then":2},{"equals":null,"then":0}]}]',
      ),
    },
    'One of “A”, “B”, “7”',
  ],
  [
    {
      validations: [
        { kind: 'minLength', value: 3 },
        { kind: 'notContains', value: 'x' },
      ],
    },
    'At least 3 characters; does not contain “x”',
  ],
])('a rule says what it expects of its cell', (more, words) => {
  expect(expectationOf(rule(more))).toBe(words);
});

test('rules of one header speak together, each once; computed columns have no header', () => {
  const amount: Partial<RuleInput> = { serializations: [{ type: 'SerializedSum', currency: 'USD' }] };
  const found = expectationsByHeader([
    rule(amount),
    rule({ ...amount, targetCol: 'sums.sum' }),
    rule({ targetCol: 'borrowerId', checks: ['Mandatory'] }),
    rule({ originCol: null, serializations: [{ type: 'number' }] }),
  ]);
  expect([...found]).toEqual([['Balance', 'An amount in USD. Not blank']]);
});
