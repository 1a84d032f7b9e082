import { type Mapping, type MappingInput, parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { CSV_HEADERS, HEADERS } from './workbook.ts';

const LATE = ['Late (16-30 days)', 'Late (31-120 days)'];

/** 16 rules over the generated tape, two of them with a filter or a switch; about 1 row in 600 is errored. */
const RULES: MappingInput['rules'] = [
  {
    originCol: 'Loan ID',
    targetCol: 'assetId',
    checks: ['Mandatory', 'Unique'],
    serializations: [{ type: 'text' }, { type: 'trim' }],
  },
  {
    originCol: 'Status',
    targetCol: 'assetStatus',
    checks: ['Mandatory'],
    serializations: [
      {
        type: 'switchCase',
        cases: [
          of('Current', 'current'),
          of('Fully paid', 'paid'),
          of('In grace period', 'pastDue'),
          of(LATE, 'delinquent'),
          of('Charged off', 'chargedOff'),
        ],
      },
    ],
  },
  {
    originCol: 'Status',
    targetCol: 'isDelinquent',
    serializations: [{ type: 'switchCase', cases: [of(LATE, true)], default: false }, { type: 'boolean' }],
  },
  {
    originCol: 'Funded amount',
    targetCol: 'sums.sum',
    serializations: [{ type: 'SerializedSum' }],
    validations: [{ kind: 'minNumber', value: 25 }],
  },
  {
    originCol: 'Outstanding balance',
    targetCol: 'sums.outstandingSum',
    serializations: [{ type: 'SerializedSum' }],
    validations: [{ kind: 'minNumber', value: 0 }],
  },
  {
    originCol: 'Funded date',
    targetCol: 'dateFinanced',
    checks: ['Mandatory'],
    serializations: [{ type: 'date', format: 'excel' }],
  },
  {
    originCol: 'Maturity date',
    targetCol: 'dates.maturityDate',
    serializations: [{ type: 'date', format: 'excel' }],
    validations: [{ kind: 'minDate', value: '2009-07-10' }],
  },
  {
    originCol: 'Rate',
    targetCol: 'interestRate',
    serializations: [{ type: 'SerializedInterest', scale: 'zeroTo1', kind: 'fix' }],
    validations: [{ kind: 'maxNumber', value: 29.98 }],
  },
  {
    originCol: 'LTV',
    targetCol: 'originalLtv',
    serializations: [{ type: 'SerializedPercentage', scale: 'zeroTo1' }],
  },
  {
    originCol: 'FICO',
    targetCol: 'creditScores.origination',
    serializations: [{ type: 'number' }],
    validations: [{ kind: 'maxNumber', value: 850 }],
  },
  { originCol: 'Sector', targetCol: 'sector', serializations: [{ type: 'text' }, { type: 'trim' }] },
  { originCol: 'State', targetCol: 'address.state', serializations: [{ type: 'text' }, { type: 'upper' }] },
  {
    originCol: 'Months left',
    targetCol: 'remainingTerm',
    serializations: [{ type: 'SerializedTerm', unit: 'months' }],
  },
  {
    originCol: 'Funded date',
    targetCol: 'monthsOnBook',
    serializations: [
      { type: 'date', format: 'excel' },
      { type: 'datesDiff', unit: 'months' },
      { type: 'round', digits: 1 },
    ],
  },
  {
    originCol: 'Total debt',
    targetCol: 'customFields.debtToIncome',
    serializations: [{ type: 'number' }, { type: 'divide', column: 'Income' }, { type: 'round', digits: 4 }],
  },
  {
    targetCol: 'creditScores.grade',
    serializations: [
      { type: 'ifStatement', filter: { FICO: { gte: 660 }, Arrears: { lt: 45_000 } }, ...branches('prime', 'other') },
    ],
  },
];

// biome-ignore-start lint/suspicious/noThenProperty: the words of the contract; a step is never awaited
function of(equals: string | string[], then: string | boolean) {
  return { equals, then };
}
function branches(then: string, otherwise: string) {
  return { then, else: otherwise };
}
// biome-ignore-end lint/suspicious/noThenProperty: see above

export const TAPE_MAPPING: Mapping = parseMapping({
  rules: RULES,
  loanTapeSheetName: 'Tape',
  extractedOriginColsFromLoanTape: [...HEADERS],
  primaryCurrency: 'USD',
} satisfies MappingInput);

/** The same rules, under which every row is errored: no asset id is that short. */
export const ERRORED_MAPPING: Mapping = parseMapping({
  ...TAPE_MAPPING,
  rules: RULES.map((rule) =>
    rule.targetCol === 'assetId' ? { ...rule, validations: [{ kind: 'maxLength', value: 3 }] } : rule,
  ),
} as MappingInput);

/** The same rules for the tape as CSV, in which everything is text: dates are ISO 8601. */
export const CSV_MAPPING: Mapping = parseMapping({
  ...TAPE_MAPPING,
  extractedOriginColsFromLoanTape: [...CSV_HEADERS],
  rules: RULES.map((rule) => ({
    ...rule,
    serializations: rule.serializations?.map((step) => (step.type === 'date' ? { ...step, format: 'ISO' } : step)),
  })),
} as MappingInput);

export const TAPE_FACTS = { cutOffDate: '2026-06-30', primaryCurrency: 'USD' } as const;
