import { add, multiply, round } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import { NUMBER_UNIT_FACTORS, type SerializationInput } from '@tapeline/domain/tapes/serialization.schema.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAgreement, useDuckDb } from './testing/cases.ts';
import type { Cell } from './testing/held.ts';
import { number, runCompiled, words } from './testing/mapped-rows.ts';

const duckdb = useDuckDb();

/** Planning a mapping takes much longer than mapping a row, so each is run once with many rows. */
const RUNS = { numRuns: Number(process.env.FC_RUNS ?? 8) };
const RUNS_OF_EACH_UNIT = { numRuns: Number(process.env.FC_RUNS ?? 1) };
const many = <T>(each: fc.Arbitrary<T>) => fc.array(each, { minLength: 80, maxLength: 240 });
const CODES = ['USD', 'EUR', 'JPY', 'KWD', 'CLF'] as const;
const UNITS = ['scalar', 'thousands', 'millions', 'billions'] as const;
const EACH_UNIT = CODES.flatMap((currency) => UNITS.map((unit) => ({ currency, unit })));

const integer = (digits: number) => fc.bigInt({ min: 0n, max: 10n ** BigInt(digits) - 1n });
/** A decimal of at most 18 digits, with any number of them after the point, including ties for every minor unit. */
const decimal = fc
  .record({
    digits: fc.oneof(integer(18), integer(9), integer(6)),
    places: fc.integer({ min: 0, max: 12 }),
    tie: fc.constantFrom('', '', '5', '05', '005', '0005', '50000000', '49999999999', '50000000000000000001'),
    negative: fc.boolean(),
  })
  .map(({ digits, places, tie, negative }) => {
    const padded = String(digits).padStart(places + 1, '0');
    const whole = padded.slice(0, padded.length - places);
    const fraction = `${padded.slice(padded.length - places)}${tie}`;
    return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  });

/** The expected amount for a decimal, in exact arithmetic. Null if it does not fit into 14 digits. */
function expected(written: string, currency: string, unit: keyof typeof NUMBER_UNIT_FACTORS): string | null {
  const sum = round(multiply(written, String(NUMBER_UNIT_FACTORS[unit])), minorUnitDigits(currency));
  return sum.replace(/^-|\..*$/g, '').length > 14 ? null : round(sum, 4);
}

const sumRule = (serializations: RuleInput['serializations']): RuleInput[] => [
  { originCol: 'x', targetCol: 'sum', serializations },
];
async function sumsOf(rules: RuleInput[], cells: readonly Cell[]): Promise<(string | null)[]> {
  const rows = await runCompiled(
    duckdb(),
    rules,
    cells.map((x) => ({ x })),
  );
  return rows.map(({ asset, errors }) => {
    if (asset) return String(asset['sums.sum']);
    expect(errors.map(({ reason }) => reason)).toEqual(['is too large']);
    return null;
  });
}

describe('money', () => {
  test('the digits of a text are kept exactly, in any unit, half to even at the minor unit', async () => {
    await fc.assert(
      fc.asyncProperty(many(decimal), async (texts) => {
        for (const { currency, unit } of EACH_UNIT) {
          const sums = await sumsOf(sumRule([{ type: 'SerializedSum', currency, unit }]), texts.map(words));
          expect(sums).toEqual(texts.map((text) => expected(text, currency, unit)));
        }
      }),
      RUNS_OF_EACH_UNIT,
    );
  });

  test('a text that earlier steps have trimmed or cut is as exact as a cell', async () => {
    await fc.assert(
      fc.asyncProperty(many(decimal), async (texts) => {
        const cells = texts.map((text) => words(` $${text} `));
        for (const { currency, unit } of EACH_UNIT) {
          const rules = sumRule([
            { type: 'replaceStrings', value: ['$', ''] },
            { type: 'SerializedSum', currency, unit },
          ]);
          expect(await sumsOf(rules, cells)).toEqual(texts.map((text) => expected(text, currency, unit)));
        }
      }),
      RUNS_OF_EACH_UNIT,
    );
  });

  test('a number cell is the decimal a person sees: what was typed comes back, and the noise of sums goes', async () => {
    const seen = fc.record({ digits: integer(15), places: fc.integer({ min: 0, max: 9 }) });
    await fc.assert(
      fc.asyncProperty(many(seen), async (typed) => {
        const texts = typed.map(({ digits, places }) => {
          const padded = String(digits).padStart(places + 1, '0');
          return `${padded.slice(0, padded.length - places)}.${padded.slice(padded.length - places)}0`;
        });
        const cells = texts.map((text) => number(Number(text)));
        for (const { currency, unit } of EACH_UNIT) {
          const sums = await sumsOf(sumRule([{ type: 'SerializedSum', currency, unit }]), cells);
          expect(sums).toEqual(texts.map((text) => expected(text, currency, unit)));
        }
      }),
      RUNS_OF_EACH_UNIT,
    );
    const noisy = [0.1 + 0.2, 1.1 * 3, 4.35 * 100, 1.005 * 1000, 33.33 + 66.67, 1e9 + 0.1 + 0.2];
    expect(await sumsOf(sumRule([{ type: 'SerializedSum' }]), noisy.map(number))).toEqual([
      '0.3000',
      '3.3000',
      '435.0000',
      '1005.0000',
      '100.0000',
      '1000000000.3000',
    ]);
  });

  test('sums of amounts that other rules made are exact to the last of 18 digits', async () => {
    const cents = fc.bigInt({ min: -(5n * 10n ** 15n) + 1n, max: 5n * 10n ** 15n - 1n });
    const amount = (value: bigint): string =>
      `${value < 0n ? '-' : ''}${String(value < 0n ? -value : value)
        .padStart(3, '0')
        .replace(/(..)$/, '.$1')}`;
    const rules: RuleInput[] = [
      { originCol: 'p', targetCol: 'outstandingPrincipal', serializations: [{ type: 'SerializedSum' }] },
      { originCol: 'i', targetCol: 'outstandingInterest', serializations: [{ type: 'SerializedSum' }] },
      {
        targetCol: 'outstandingSum',
        serializations: [
          // biome-ignore lint/suspicious/noThenProperty: the rule format's property name; a step is never awaited
          { type: 'ifStatement', filter: {}, then: { column: 'outstandingPrincipal' } },
          { type: 'add', column: 'outstandingInterest' },
          { type: 'SerializedSum' },
        ],
      },
    ];
    await fc.assert(
      fc.asyncProperty(many(fc.tuple(cents, cents)), async (pairs) => {
        const rows = await runCompiled(
          duckdb(),
          rules,
          pairs.map(([p, i]) => ({ p: words(amount(p)), i: words(amount(i)) })),
        );
        expect(rows.map(({ asset }) => asset?.['sums.outstandingSum'])).toEqual(
          pairs.map(([p, i]) => round(add(amount(p), amount(i)), 4)),
        );
      }),
      RUNS,
    );
  });

  const between: [string, SerializationInput[], string][] = [
    ['subtract a number', [{ type: 'subtract', value: 0.01 }], '9999999999999.9800'],
    ['there and back', [{ type: 'negate' }, { type: 'absolute' }], '9999999999999.9900'],
    [
      'half of it twice',
      [
        { type: 'multiply', value: 0.5 },
        { type: 'multiply', value: 2 },
      ],
      '9999999999999.9900',
    ],
    [
      'in thousands',
      [
        { type: 'multiply', value: 0.001 },
        { type: 'number', unit: 'thousands' },
      ],
      '9999999999999.9900',
    ],
    ['a tie, half to even', [{ type: 'multiply', value: 0.5 }], '5000000000000.0000'],
    ['the other column', [{ type: 'add', column: 'more' }], '10000000000000.0000'],
    ['the lesser', [{ type: 'min', column: 'more' }], '0.0100'],
    ['the greater', [{ type: 'max', column: 'more' }], '9999999999999.9900'],
    ['rounded', [{ type: 'round', digits: 1 }], '10000000000000.0000'],
    ['left out where it is nothing', [{ type: 'omit', values: [0] }], '9999999999999.9900'],
    ['divided, as far as a double reaches', [{ type: 'divide', value: 4 }], '2500000000000.0000'],
  ];
  test.each(between)('arithmetic on an amount keeps its digits: %s', async (_, steps, sum) => {
    const rules: RuleInput[] = [
      { originCol: 'x', targetCol: 'outstandingPrincipal', serializations: [{ type: 'SerializedSum' }] },
      {
        targetCol: 'sum',
        serializations: [
          // biome-ignore lint/suspicious/noThenProperty: the rule format's property name; a step is never awaited
          { type: 'ifStatement', filter: {}, then: { column: 'outstandingPrincipal' } },
          { type: 'add', value: 0 },
          ...steps,
          { type: 'SerializedSum' },
        ],
      },
    ];
    const cells = { x: words('9999999999999.99'), more: words('0.01') };
    const [row] = await runCompiled(duckdb(), rules, [cells]);
    expect(row?.asset?.['sums.sum']).toBe(sum);
    await expectAgreement(duckdb(), rules, [cells]);
  });

  test('percentages of both scales keep every digit of a text, half to even at the eighth', async () => {
    const rules = (scale: 'zeroTo1' | 'zeroTo100'): RuleInput[] => [
      { originCol: 'x', targetCol: 'currentLtv', serializations: [{ type: 'percentage', scale }] },
    ];
    const share = fc
      .record({ digits: integer(18), places: fc.integer({ min: 12, max: 18 }) })
      .map(({ digits, places }) => {
        const padded = String(digits).padStart(places + 1, '0');
        return `${padded.slice(0, padded.length - places)}.${padded.slice(padded.length - places)}`;
      });
    await fc.assert(
      fc.asyncProperty(many(share), async (texts) => {
        const cells = texts.flatMap((text) => [{ x: words(text) }, { x: words(`${text} %`) }]);
        const points = (rows: Awaited<ReturnType<typeof runCompiled>>) => rows.map(({ asset }) => asset?.currentLtv);
        const ofOne = points(await runCompiled(duckdb(), rules('zeroTo1'), cells));
        const ofHundred = points(await runCompiled(duckdb(), rules('zeroTo100'), cells));
        const plain = (text: string) => round(text, 8);
        expect(ofOne).toEqual(texts.flatMap((text) => [round(multiply(text, '100'), 8), undefined]));
        expect(ofHundred).toEqual(texts.flatMap((text) => [plain(text), plain(text)]));
      }),
      RUNS,
    );
  });
});

describe('powers', () => {
  test('are what a person sees of them in any engine', async () => {
    const rules = (value: number): RuleInput[] => [
      { originCol: 'x', targetCol: 'product', serializations: [{ type: 'power', value }, { type: 'text' }] },
    ];
    const bases = [0.5, 1.5, 2, 3, 10, 1.1, 0.01, 123.456, 1e-9, 1e20];
    for (const exponent of [2, 3, 0.5, -1, -2, 1 / 3, 12]) {
      const rows = await runCompiled(
        duckdb(),
        rules(exponent),
        bases.map((base) => ({ x: number(base) })),
      );
      const made = rows.map(({ asset }) => Number(asset?.product));
      for (const [index, base] of bases.entries()) expect(made[index]! / base ** exponent).toBeCloseTo(1, 13);
    }
  });
});
