import { MONTH_NAMES } from '@tapeline/domain/dates/month-names.ts';
import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import {
  DATE_FORMATS,
  DATE_ORDERS,
  DECIMAL_SIGNS,
  NEGATIVES,
  type SerializationInput,
} from '@tapeline/domain/tapes/serialization.schema.ts';
import { serialToIso } from '@tapeline/sheets/date-serial.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Case, expectAgreement, expectCases, useDuckDb } from './testing/cases.ts';
import { day, number, words } from './testing/mapped-rows.ts';

const duckdb = useDuckDb();
const NO_DATE = { reason: 'is not a date in the expected format' };
const NO_NUMBER = { reason: 'is not a number' };

type DateOptions = Omit<SerializationInput & { type: 'date' }, 'type'>;
const expectDates = (options: DateOptions, cases: readonly Case[]) =>
  expectCases(duckdb(), 'dateFinanced', [{ type: 'date', ...options }], cases);
const texts = (expected: string | typeof NO_DATE, ...written: string[]): Case[] =>
  written.map((text) => [words(text), expected] as Case);

describe('serials', () => {
  test.each([1900, 1904] as const)(
    'the day that a preview shows is the day that is mapped, since %i',
    async (epoch) => {
      const serials = fc.sample(
        fc.oneof(
          fc.double({ noNaN: true, min: 61, max: 2_950_000 }),
          fc
            .tuple(fc.integer({ min: 61, max: 60_000 }), fc.integer({ min: -99, max: 99 }))
            .map(([whole, off]) => whole + off / 1e7),
        ),
        { numRuns: 400, seed: 27 },
      );
      await expectCases(
        duckdb(),
        'dateFinanced',
        [{ type: 'date', format: 'excel' }],
        serials.map((serial) => [day(serial), serialToIso(serial, epoch)!.slice(0, 10)] as const),
        epoch,
      );
    },
  );
});

describe('dates in an order', () => {
  test('day first', () =>
    expectDates({ format: 'ISO', order: 'dayFirst' }, [
      ...texts('2024-12-31', '31.12.2024', '31/12/2024', '31-12-24', '31 12 2024', '31. 12. 2024', ' 31.12.24 '),
      ...texts('2024-12-31', '31122024', '311224', '31.12.2024 23:59:59', '2024-12-31', '2024-12-31T10:00:00Z'),
      ...texts('2024-12-31', '31 Dec 2024', '31DEC2024', '31-dec.-24', '31. Dezember 2024', '31 de diciembre de 2024'),
      ...texts('2024-12-31', 'December 31, 2024', 'Dec 31st, 2024', '31 déc. 2024', "31 gru '24", '31 decembre 2024'),
      ...texts('2024-02-01', '1.2.2024', '01/02/24', '1er février 2024', '1º de fevereiro de 2024', '1 lutego 2024'),
      ...texts('1999-02-01', '1.2.99', '1 Feb 99'),
      ...texts(NO_DATE, '12/31/2024', '30.02.2024', '31.12', '31.12.2024 to 5.1.2025', '1|2|2024', '31 Foo 2024'),
      ...texts(NO_DATE, '31.12.20244', '0.1.2024', '31.12.0000', 'Dec 2024', '2024.12.31', '331224'),
      [number(31122024), '2024-12-31'],
      [number(1022024), '2024-02-01'],
      [number(311224), '2024-12-31'],
      [number(45321), NO_DATE],
      [number(311224.5), NO_DATE],
      [day(43281), '2018-06-30'],
    ]));

  test('month first', () =>
    expectDates({ format: 'american', order: 'monthFirst' }, [
      ...texts('2024-02-01', '2/1/2024', '02-01-24', '2.1.2024', '020124', '02012024', 'Feb 1, 2024', '1 Feb 2024'),
      ...texts('2020-04-04', '4/4/20', '4/4/20 10:15 PM'),
      ...texts(NO_DATE, '31/12/2024', '2/30/2024'),
    ]));

  test('year first, with a window that is as chosen', async () => {
    await expectDates({ format: 'ISO', order: 'yearFirst' }, [
      ...texts('2025-01-07', '250107', '20250107', '2025/1/7', '25-01-07', '2025 Jan 7', '2025.01.07', '2025-01-07'),
      ...texts('1970-01-07', '700107'),
      ...texts('2069-01-07', '690107'),
      ...texts(NO_DATE, '250229', '2501', '251301', '07.01.2025'),
      [number(250107), '2025-01-07'],
      [number(50107), '2005-01-07'],
      [number(20250107), '2025-01-07'],
    ]);
    await expectDates({ format: 'ISO', order: 'yearFirst', firstYear: 1930 }, [
      ...texts('1930-01-07', '300107'),
      ...texts('2029-01-07', '290107'),
    ]);
    await expectDates({ format: 'ISO', order: 'yearFirst', firstYear: 2000 }, texts('2099-01-07', '990107'));
  });

  test('months without a day are their first day', async () => {
    await expectDates({ format: 'ISO', order: 'yearMonth' }, [
      ...texts('2024-12-01', '202412', '2024-12', '2024/12', '2024 Dec', '24.12', '2024 grudzień'),
      ...texts(NO_DATE, '202413', '20241', '12/2024'),
      [number(202412), '2024-12-01'],
    ]);
    await expectDates({ format: 'ISO', order: 'monthYear' }, [
      ...texts('2024-03-01', '03/2024', '3.24', 'Mar-24', 'März 2024', 'marzo de 2024', "mrt '24", '032024'),
      ...texts(NO_DATE, '13/2024', '2024/03', 'Q1 2024'),
      [number(32024), '2024-03-01'],
    ]);
  });

  test('numbers are serials or timestamps where the format says so, and texts keep their order', async () => {
    await expectDates({ format: 'excel', order: 'dayFirst' }, [
      [number(43281.75), '2018-06-30'],
      [words('30.06.2018'), '2018-06-30'],
      [words('43281'), NO_DATE],
      [number(0), NO_DATE],
    ]);
    await expectDates({ format: 'timestampSeconds', order: 'dayFirst' }, [[number(1530316800), '2018-06-30']]);
  });

  test('months have their names in each language', () =>
    expectDates(
      { format: 'ISO', order: 'dayFirst' },
      Object.values(MONTH_NAMES).flatMap((months) =>
        months.flatMap((names, index) =>
          names.flatMap((name) =>
            texts(`2024-${String(index + 1).padStart(2, '0')}-05`, `5 ${name} 2024`, `5. ${name.toUpperCase()} 24`),
          ),
        ),
      ),
    ));

  const names = Object.values(MONTH_NAMES).flat(2);
  const piece = fc.oneof(
    fc.integer({ min: 0, max: 33 }).map(String),
    fc.integer({ min: 0, max: 12 }).map((month) => String(month).padStart(2, '0')),
    fc.integer({ min: 1890, max: 2110 }).map(String),
    fc.constantFrom(...names),
    fc.constantFrom('st', '.', 'de ', 'of ', '0000', 'x', 'é', '|', "'"),
  );
  const between = fc.constantFrom('', '.', '/', '-', ' ', ', ', '. ', '\u00a0', '  ', '|');
  const written = fc.oneof(
    fc
      .tuple(piece, between, piece, between, piece, fc.constantFrom('', '', ' 10:00', ' x', ' 10:00 PM'))
      .map((parts) => parts.join('')),
    fc.tuple(piece, between, piece).map((parts) => parts.join('')),
    fc.integer({ min: 0, max: 99_999_999 }).map(String),
    fc
      .tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }))
      .map((numbers) => numbers.map((each) => String(each).padStart(2, '0')).join('')),
  );
  test('property: the compiled SQL and the interpreter read the same dates', async () => {
    const date = fc.record(
      {
        type: fc.constant('date' as const),
        format: fc.constantFrom(...DATE_FORMATS),
        order: fc.constantFrom(...DATE_ORDERS),
        firstYear: fc.integer({ min: 1900, max: 2000 }),
      },
      { requiredKeys: ['type', 'format', 'order'] },
    );
    const cells = fc.oneof(
      { weight: 5, arbitrary: written.map(words) },
      { weight: 1, arbitrary: fc.integer({ min: -10, max: 99_999_999 }).map(number) },
      { weight: 1, arbitrary: fc.double({ noNaN: true, min: 0, max: 1e9 }).map(number) },
    );
    await fc.assert(
      fc.asyncProperty(date, fc.array(cells, { minLength: 80, maxLength: 160 }), async (step, column) => {
        await expectAgreement(
          duckdb(),
          [{ originCol: 'x', targetCol: 'dateFinanced', serializations: [step] }],
          column.map((x) => ({ x })),
        );
      }),
      { numRuns: 30 },
    );
  });
});

describe('figures as a column writes them', () => {
  const amounts = (options: object, cases: readonly (readonly [string, string | typeof NO_NUMBER])[]) =>
    expectCases(
      duckdb(),
      'sums.sum',
      [{ type: 'SerializedSum', ...options }],
      cases.map(
        ([text, made]) => (typeof made === 'string' ? [words(text), made, 'USD'] : [words(text), made]) as Case,
      ),
    );

  test('with a decimal comma', () =>
    amounts({ decimal: 'comma' }, [
      ['12.000', '12000.0000'],
      ['1.234,56', '1234.5600'],
      ['1234,5', '1234.5000'],
      [',5', '0.5000'],
      ['-1 234 567,89', '-1234567.8900'],
      ['1\u202f234,5', '1234.5000'],
      ["1'234'567,5", '1234567.5000'],
      ['12', '12.0000'],
      ['12,', '12.0000'],
      ['1,234.56', NO_NUMBER],
      ['12.00', NO_NUMBER],
      ['1.2345', NO_NUMBER],
      ["1.234'567", NO_NUMBER],
      ['1,2,3', NO_NUMBER],
      ['(500,00)', NO_NUMBER],
      ['1e3', NO_NUMBER],
    ]));

  test('with a decimal point', () =>
    amounts({ decimal: 'point' }, [
      ['1,234.56', '1234.5600'],
      ["1'234.5", '1234.5000'],
      ['1 234.5', '1234.5000'],
      ['.5', '0.5000'],
      ['1.234,56', NO_NUMBER],
      ['12,00', NO_NUMBER],
    ]));

  test('with negatives in brackets, or with a trailing minus', async () => {
    await amounts({ decimal: 'comma', negative: 'brackets' }, [
      ['(500,00)', '-500.0000'],
      ['( 1.500 )', '-1500.0000'],
      ['-500', '-500.0000'],
      ['(-500)', NO_NUMBER],
      ['(500', NO_NUMBER],
      ['5(3)', NO_NUMBER],
      ['()', NO_NUMBER],
    ]);
    await amounts({ negative: 'brackets' }, [['(1,234.50)', '-1234.5000']]);
    await amounts({ negative: 'trailing' }, [
      ['1,234.50-', '-1234.5000'],
      ['1,234.50 -', '-1234.5000'],
      ['-5', '-5.0000'],
      ['-5-', NO_NUMBER],
      ['5-3', NO_NUMBER],
      ['-', NO_NUMBER],
    ]);
  });

  test('in rates, percentages and numbers, whose percent sign still contradicts a scale from 0 to 1', async () => {
    const rate = (more: object): SerializationInput[] => [{ type: 'SerializedInterest', decimal: 'comma', ...more }];
    await expectCases(duckdb(), 'interestRate', rate({}), [
      [words('5,25%'), '5.25000000', 'fix'],
      [words('4,1 %'), '4.10000000', 'fix'],
      [number(3.9), '3.90000000', 'fix'],
    ]);
    await expectCases(duckdb(), 'interestRate', rate({ scale: 'zeroTo1' }), [
      [words('0,0525'), '5.25000000', 'fix'],
      [words('5,25%'), { reason: 'has a percent sign, but the chosen scale is 0 to 1' }],
    ]);
    await expectCases(
      duckdb(),
      'currentLtv',
      [{ type: 'percentage', decimal: 'comma' }],
      [[words('80,5'), '80.50000000']],
    );
    await expectCases(
      duckdb(),
      'monthsOnBook',
      [{ type: 'number', decimal: 'comma' }],
      [
        [words('1.200,5'), 1200.5],
        [number(7), 7],
      ],
    );
  });

  test('in terms, whose unit is written after the figure, and in lengths', async () => {
    const term: SerializationInput = { type: 'SerializedTerm', unit: 'months', decimal: 'comma', negative: 'trailing' };
    await expectCases(
      duckdb(),
      'term',
      [term],
      [
        [words('1,5 years'), 1.5, 'years', 547.875],
        [words('1.200'), 1200, 'months', 36525],
        [words('12- days'), -12, 'days', -12],
        [number(36), 36, 'months', 1095.75],
        [words('1.5 years'), NO_NUMBER],
        [words('months'), NO_NUMBER],
      ],
    );
    const length = (type: 'distance' | 'weight', unit: string) => [
      { type, unit, decimal: 'comma' } as SerializationInput,
    ];
    await expectCases(duckdb(), 'monthsOnBook', length('distance', 'kilometers'), [
      [words('1.200,5'), 1200.5],
      [words('12.00'), NO_NUMBER],
    ]);
    await expectCases(duckdb(), 'monthsOnBook', length('weight', 'meter'), [[words('12.000'), 12000]]);
  });

  test('where arithmetic, a formula or a condition reads the column, as the rule of the column does', async () => {
    const amount = (more: object): SerializationInput => ({ type: 'SerializedSum', ...more });
    const computed = (targetCol: string, serializations: SerializationInput[]) => ({
      originCol: null,
      targetCol,
      serializations,
    });
    const rules = (more: object) => [
      { originCol: 'x', targetCol: 'sums.sum', serializations: [{ type: 'absolute' as const }, amount(more)] },
      computed('sums.outstandingSum', [{ type: 'calculate', formula: '[origin.x] + 1' }, amount({})]),
      computed('sums.arrears', [
        // biome-ignore lint/suspicious/noThenProperty: the rule format's property name; a step is never awaited
        { type: 'ifStatement', filter: { 'origin.x': { gt: 1000 } }, then: 1, else: 2 },
        amount({}),
      ]),
    ];
    const column = [{ x: words('12.000') }, { x: words('12.000-') }, { x: number(5) }];
    const read = async (options: object) =>
      (await expectAgreement(duckdb(), rules(options), column)).map(({ asset }) =>
        ['sums.sum', 'sums.outstandingSum', 'sums.arrears'].map((path) => Number(asset?.[path])),
      );
    expect(await read({ decimal: 'comma', negative: 'trailing' })).toEqual([
      [12_000, 12_001, 1],
      [12_000, -11_999, 2],
      [5, 6, 2],
    ]);
    expect(await read({ negative: 'trailing' })).toEqual([
      [12, 13, 2],
      [12, -11, 2],
      [5, 6, 2],
    ]);
  });

  test('but not a text that steps have changed, which is read by default', async () => {
    const plain: SerializationInput[] = [{ type: 'replaceStrings', value: [',', '.'] }];
    const rules: RuleInput[] = [
      { originCol: 'x', targetCol: 'sums.sum', serializations: [{ type: 'SerializedSum', decimal: 'comma' }] },
      { originCol: 'x', targetCol: 'monthsOnBook', serializations: [...plain, { type: 'multiply', value: 2 }] },
      { originCol: 'x', targetCol: 'plain', checks: ['Temporary'], serializations: plain },
      { originCol: null, targetCol: 'daysPastDue', serializations: [{ type: 'calculate', formula: 'plain * 2' }] },
    ];
    const [made] = await expectAgreement(duckdb(), rules, [{ x: words('1234,5') }]);
    expect(made?.errors).toEqual([]);
    expect(['sums.sum', 'monthsOnBook', 'daysPastDue'].map((path) => Number(made?.asset?.[path]))).toEqual([
      1234.5, 2469, 2469,
    ]);
  });

  test('property: the compiled SQL and the interpreter read the same figures', async () => {
    const mark = fc.constantFrom('.', ',', "'", '’', ' ', '', '\u202f');
    const digits = fc.constantFrom('0', '5', '12', '123', '000', '1234', '');
    const text = fc
      .tuple(
        fc.constantFrom('', '', '-', '+', '(', ' '),
        digits,
        fc.array(fc.tuple(mark, digits), { maxLength: 4 }),
        fc.constantFrom('', '', ')', '-', '%', ' %', ')%', '-%', 'x', ' Months', '- years', ') days'),
      )
      .map(([before, first, groups, after]) => `${before}${first}${groups.flat().join('')}${after}`);
    const options = fc.record(
      { decimal: fc.constantFrom(...DECIMAL_SIGNS), negative: fc.constantFrom(...NEGATIVES) },
      { requiredKeys: [] },
    );
    const step = fc
      .tuple(
        options,
        fc.constantFrom(
          ...([{ type: 'SerializedSum' }, { type: 'number' }, { type: 'percentage' }] as const),
          ...([{ type: 'SerializedTerm', unit: 'years' }] as const),
        ),
      )
      .map(([figures, type]) => ({ ...type, ...figures }));
    await fc.assert(
      fc.asyncProperty(step, fc.array(text.map(words), { minLength: 80, maxLength: 160 }), async (made, column) => {
        const target = {
          SerializedSum: 'sums.sum',
          number: 'monthsOnBook',
          percentage: 'currentLtv',
          SerializedTerm: 'term',
        }[made.type];
        await expectAgreement(
          duckdb(),
          [{ originCol: 'x', targetCol: target, serializations: [made] }],
          column.map((x) => ({ x })),
        );
      }),
      { numRuns: 30 },
    );
  });
});
