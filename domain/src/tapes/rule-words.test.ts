import { expect, test } from 'vitest';
import { planMapping } from './mapping-plan.ts';
import { mappingRuleSchema, type RuleInput } from './rule.schema.ts';
import { describeChecks, describeSteps, describeUnreadable, describeValidations } from './rule-words.ts';

const ruleOf = (rule: Omit<RuleInput, 'targetCol'>) => mappingRuleSchema.parse({ targetCol: 'result', ...rule });
const steps = (serializations: RuleInput['serializations'], originCol: string | null = 'Cell') =>
  describeSteps(planMapping({ rules: [ruleOf({ originCol, serializations })] }).rules[0]!);

test.each<[string, RuleInput['serializations']]>([
  ['Trim, then Number', [{ type: 'trim' }, { type: 'number' }]],
  ['Number (unit: Thousands)', [{ type: 'number', unit: 'thousands' }]],
  [
    'Number (decimal sign of texts: A comma: 1.234,56; negative texts: In brackets: (500)), then Multiply (number: 12)',
    [
      { type: 'number', decimal: 'comma', negative: 'brackets' },
      { type: 'multiply', value: 12 },
    ],
  ],
  ['Number, then Add (column: Fees)', [{ type: 'number' }, { type: 'add', column: 'Fees' }]],
  [
    'Amount of money (currency column: Ccy; unit: Millions)',
    [{ type: 'SerializedSum', currencyColumn: 'Ccy', unit: 'millions' }],
  ],
  ['Percentage (scale: Decimal)', [{ type: 'percentage', scale: 'zeroTo1' }]],
  [
    'Date (format: Excel date; texts write: Day, month, year: 31.12.2024)',
    [{ type: 'date', format: 'excel', order: 'dayFirst' }],
  ],
  ['Omit (n/a, "0", 0), then Text', [{ type: 'omit', values: ['n/a', '0', 0] }, { type: 'text' }]],
  ['Replace (“,” by “”)', [{ type: 'replaceStrings', value: [',', ''] }]],
  ['Slice (from 0 to 4)', [{ type: 'slice', value: [0, 4] }]],
  ['Slice (from -2)', [{ type: 'slice', value: [-2] }]],
  [
    'Append (parts: “-”, {Branch}; separator: “ ”)',
    [{ type: 'concat', parts: [{ text: '-' }, { column: 'Branch' }], separator: ' ' }],
  ],
  [
    'Cases (cases: A = Current; B, C = Late; otherwise: (missing))',
    [
      {
        type: 'switchCase',
        // biome-ignore-start lint/suspicious/noThenProperty: `then` is part of the contract
        cases: [
          { equals: 'A', then: 'Current' },
          { equals: ['B', 'C'], then: 'Late' },
        ],
        // biome-ignore-end lint/suspicious/noThenProperty: see above
        default: null,
      },
    ],
  ],
  [
    'Calculate (Balance divided by Appraised value, times 100)',
    [{ type: 'calculate', formula: 'Balance / [Appraised value] * 100' }],
  ],
  [
    'If (condition: Balance is more than 0; then: {Balance}; otherwise: (as it is))',
    // biome-ignore lint/suspicious/noThenProperty: `then` is part of the contract
    [{ type: 'ifStatement', filter: { Balance: { gt: 0 } }, then: { column: 'Balance' } }],
  ],
])('%s', (words, serializations) => {
  expect(steps(serializations)).toBe(words);
});

test('A long list names its first 20 values and counts the others', () => {
  const values = Array.from({ length: 23 }, (_, index) => `v${index}`);
  expect(steps([{ type: 'omit', values }])).toBe(`Omit (${values.slice(0, 20).join(', ')}, and 3 more)`);
  const all = values.slice(0, 20);
  expect(steps([{ type: 'omit', values: all }])).toBe(`Omit (${all.join(', ')})`);
});

test('A text of more than 2,000 characters is cut', () => {
  const omit = (length: number) => steps([{ type: 'omit', values: ['x'.repeat(length), 'y'.repeat(1000)] }]);
  expect([991, 992].map((length) => [omit(length).length, omit(length).at(-1)])).toEqual([
    [2000, ')'],
    [2000, '…'],
  ]);
});

test('Checks, validations and what an unreadable cell costs are the words of the editor', () => {
  const rule = ruleOf({
    originCol: 'Cell',
    checks: ['Mandatory', 'Unique'],
    serializations: [{ type: 'text' }],
    validations: [
      { kind: 'minLength', value: 3 },
      { kind: 'notContains', value: 'total' },
    ],
    onUnreadable: 'empty',
  });
  expect(describeChecks(rule)).toBe(
    'Mandatory: a missing value is an error; Unique: duplicate values after the first are errors',
  );
  expect(describeChecks({ checks: ['Unique'], onDuplicate: 'numbered' })).toBe(
    'Unique: the later value gets the number of its occurrence',
  );
  expect(describeValidations(rule)).toBe('At least 3 characters; does not contain “total”');
  expect(describeUnreadable(rule)).toBe('The row becomes an errored asset');
  expect(describeUnreadable({ ...rule, checks: [] })).toBe('The field stays empty, with a warning');
});
