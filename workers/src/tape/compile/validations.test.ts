import type { RuleInput, ValidationKind } from '@tapeline/domain/tapes/rule.schema.ts';
import type { SerializationInput } from '@tapeline/domain/tapes/serialization.schema.ts';
import { describe, expect, test } from 'vitest';
import { expectAgreement, useDuckDb } from './testing/cases.ts';
import type { Cell } from './testing/held.ts';
import { blank, day, number, sheetError, truth, words } from './testing/mapped-rows.ts';

const duckdb = useDuckDb();

describe('checks', () => {
  test('every reason of a row is given, not only the first', async () => {
    const rules: RuleInput[] = [
      {
        originCol: 'x',
        targetCol: 'product',
        serializations: [{ type: 'text' }],
        validations: [
          { kind: 'minLength', value: 5 },
          { kind: 'mustContains', value: 'z' },
          { kind: 'notContains', value: 'b' },
        ],
      },
      { originCol: 'y', targetCol: 'daysPastDue', checks: ['Mandatory'], serializations: [{ type: 'number' }] },
    ];
    const [row] = await expectAgreement(duckdb(), rules, [{ x: words('abc'), y: blank }]);
    expect(row?.errors).toEqual([
      { rule: 2, reason: 'is shorter than 5' },
      { rule: 2, reason: 'does not contain "z"' },
      { rule: 2, reason: 'contains "b"' },
      { rule: 3, reason: 'is missing' },
    ]);
  });

  const mandatory: [string, SerializationInput[], Cell, Cell][] = [
    ['product', [{ type: 'text' }], words('0'), words(' \u00a0')],
    ['product', [{ type: 'replaceStrings', value: ['N/A', ''] }], words('N/AN'), words('N/A')],
    ['product', [{ type: 'omit', values: ['none'] }, { type: 'text' }], words('some'), words(' NONE')],
    ['monthsOnBook', [{ type: 'number' }], number(0), blank],
    ['isDelinquent', [{ type: 'boolean' }], truth(false), blank],
    ['dateFinanced', [{ type: 'date', format: 'excel' }], day(43281), blank],
    ['sum', [{ type: 'SerializedSum' }], words('0.00'), words('')],
    ['term', [{ type: 'SerializedTerm', unit: 'months' }], number(0), blank],
    ['interestRate', [{ type: 'SerializedInterest' }], number(0), blank],
    ['assetStatus', [{ type: 'assetStatus' }], words('paid'), blank],
    // A rule that fails reports its own error and is not also reported as missing.
    ['made', [{ type: 'text' }, { type: 'regexExtract', pattern: '[0-9]+' }], words('a1'), words('a')],
  ];
  test.each(mandatory)('Mandatory on %s by %j takes one and refuses the other', async (targetCol, steps, good, bad) => {
    for (const checks of [['Mandatory'], ['Mandatory', 'Temporary']] as const) {
      const rules: RuleInput[] = [{ originCol: 'x', targetCol, checks: [...checks], serializations: steps }];
      const rows = await expectAgreement(duckdb(), rules, [{ x: good }, { x: bad }, { x: sheetError('#N/A') }]);
      const last = rows.pop();
      expect(rows.map(({ errors }) => errors.map(({ reason }) => reason))).toEqual([[], ['is missing']]);
      expect(last?.errors).toEqual([{ rule: 2, reason: 'is a spreadsheet error' }]);
    }
  });
});

const TEXT: [string, SerializationInput[]] = ['product', [{ type: 'text' }]];
const STATUS: [string, SerializationInput[]] = ['assetStatus', [{ type: 'assetStatus' }]];
const DATE: [string, SerializationInput[]] = ['dateFinanced', [{ type: 'date', format: 'excel' }]];
const NUMBER: [string, SerializationInput[]] = ['monthsOnBook', [{ type: 'number' }]];
const SUM: [string, SerializationInput[]] = ['sum', [{ type: 'SerializedSum' }]];
const FLAG: [string, SerializationInput[]] = ['isDelinquent', [{ type: 'boolean' }]];
const RATE: [string, SerializationInput[]] = ['interestRate', [{ type: 'SerializedInterest' }]];
const SHARE: [string, SerializationInput[]] = ['currentLtv', [{ type: 'percentage', scale: 'zeroTo1' }]];
const TERM: [string, SerializationInput[]] = ['term', [{ type: 'SerializedTerm', unit: 'months' }]];

type Bound = [of: readonly [string, SerializationInput[]], bound: number | string | null, good: Cell[], bad: Cell[]];
/** Values on both sides of each bound. The bound itself is valid. */
const BOUNDS: Readonly<Record<ValidationKind, { reason: (bound: unknown) => string; cases: Bound[] }>> = {
  minNumber: {
    reason: (bound) => `is below ${bound}`,
    cases: [
      [NUMBER, 1.5, [number(1.5), words('1.6'), number(1e300)], [number(1.4999999999999998), number(-1e300)]],
      [NUMBER, -1, [number(-1), number(0)], [number(-1.0000001)]],
      [NUMBER, 123456789012345680000, [number(1.3e20)], [number(1e20), number(0)]],
      [SUM, 0.3, [number(0.1 + 0.2), words('0.30')], [number(0.29), words('-5')]],
      [SUM, 1e-7, [words('0.01')], [number(0), words('-0.01')]],
      [SUM, -1e21, [words('-99,999,999,999,999.99')], []],
      [RATE, 2.5, [number(2.5), words('2.5%')], [words('2.49999999')]],
      [SHARE, 80, [number(0.8), words('0.8')], [number(0.7999)]],
      [TERM, 12, [number(12), words('12 years')], [number(11.9), words('11 years')]],
    ],
  },
  maxNumber: {
    reason: (bound) => `is above ${bound}`,
    cases: [
      [NUMBER, 1.5, [number(1.5), number(-1e300)], [number(1.5000000000000002), number(1e300)]],
      [NUMBER, 1e300, [number(1e300)], [number(1.1e300)]],
      [SUM, 0.3, [number(0.1 + 0.2)], [number(0.31)]],
      [SUM, 99999999999999.98, [words('99999999999999.98')], [words('99999999999999.99')]],
      [SUM, 123456789012345680000, [words('99,999,999,999,999.99')], []],
      [RATE, 30, [number(30), words('30 %')], [words('30.00000001')]],
      [SHARE, 125, [number(1.25)], [number(1.26)]],
      [TERM, 360, [number(360)], [number(361)]],
    ],
  },
  minDate: { reason: (bound) => `is before ${bound}`, cases: [[DATE, '2018-06-30', [day(43281.9)], [day(43280)]]] },
  maxDate: {
    reason: (bound) => `is after ${bound}`,
    cases: [
      [DATE, '2018-06-30', [day(43281), day(1)], [day(43282)]],
      [DATE, '9999-12-31', [number(2958465)], []],
    ],
  },
  notContains: {
    reason: (bound) => `contains "${bound}"`,
    cases: [
      [TEXT, 'é😀', [words('e😀'), words('É😀')], [words('aé😀b')]],
      [TEXT, "'", [words('O Neil')], [words("O'Neil")]],
      [STATUS, 'Off', [words('paid')], [words('charged off')]],
    ],
  },
  mustContains: {
    reason: (bound) => `does not contain "${bound}"`,
    cases: [
      [TEXT, '%', [words('12%')], [words('12')]],
      [TEXT, '\\', [words('a\\b')], [words('a/b')]],
      [STATUS, 'paid', [words('PAID')], [words('pre paid'), words('current')]],
    ],
  },
  mustBeTrue: {
    reason: () => 'is not true',
    cases: [[FLAG, null, [truth(true), number(1)], [words('no'), number(2)]]],
  },
  mustBeFalse: { reason: () => 'is not false', cases: [[FLAG, null, [words('maybe')], [words(' YES'), truth(true)]]] },
  minLength: {
    reason: (bound) => `is shorter than ${bound}`,
    cases: [
      [TEXT, 2, [words('é😀'), number(12)], [words('😀'), number(1)]],
      [TEXT, 0, [words('a')], []],
    ],
  },
  maxLength: {
    reason: (bound) => `is longer than ${bound}`,
    cases: [
      [TEXT, 2, [words('é😀')], [words('e\u0301😀'), number(100)]],
      [TEXT, 0, [], [words('a')]],
    ],
  },
};

describe('validations', () => {
  const all = Object.entries(BOUNDS).flatMap(([kind, { reason, cases }]) =>
    cases.map(([[targetCol, steps], bound, good, bad]) => ({ kind, reason, targetCol, steps, bound, good, bad })),
  );
  test.each(all)('$kind $bound judges $targetCol', async ({ kind, reason, targetCol, steps, bound, good, bad }) => {
    const validation = { kind, ...(bound === null ? {} : { value: bound }) };
    const rules: RuleInput[] = [
      {
        originCol: 'x',
        targetCol,
        serializations: steps,
        validations: [validation] as unknown as NonNullable<RuleInput['validations']>,
      },
    ];
    // Missing values are skipped, and unreadable values only report the read error.
    const cells = [...good, ...bad, blank, sheetError('#N/A')];
    const rows = await expectAgreement(
      duckdb(),
      rules,
      cells.map((x) => ({ x })),
    );
    expect(rows.map(({ errors }) => errors.map((error) => error.reason))).toEqual([
      ...good.map(() => []),
      ...bad.map(() => [reason(bound)]),
      [],
      ['is a spreadsheet error'],
    ]);
  });
});
