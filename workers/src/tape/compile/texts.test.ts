import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import type { SerializationInput } from '@tapeline/domain/tapes/serialization.schema.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileMapping } from './compile.ts';
import { previewRows } from './run.ts';
import { type Case, expectAgreement, expectCases, useDuckDb } from './testing/cases.ts';
import { blank, FACTS, ID_HEADER, mappingOf, number, stageRows, words } from './testing/mapped-rows.ts';

const duckdb = useDuckDb();

test('a computed id of two columns is missing if one of them is', async () => {
  const rows = await expectAgreement(
    duckdb(),
    [
      {
        originCol: null,
        targetCol: 'product',
        serializations: [
          { type: 'concat', parts: [{ column: 'a' }, { column: 'b' }], separator: '-', onMissing: 'whole' },
        ],
      },
    ],
    [
      { a: words('x'), b: number(1) },
      { a: words('x'), b: blank },
      { a: blank, b: number(1) },
    ],
  );
  expect(rows.map(({ asset }) => asset?.product)).toEqual(['x-1', null, null]);
});

describe('strings', () => {
  const cases: [SerializationInput, string, string | null][] = [
    [{ type: 'trim' }, ' \u00a0a b\t', 'a b'],
    [{ type: 'upper' }, 'aé', 'AÉ'],
    [{ type: 'lower' }, 'AÉ', 'aé'],
    [{ type: 'replaceStrings', value: ['.', ''] }, '1.2.3', '123'],
    [{ type: 'replaceStrings', value: ['a', "'"] }, 'banana', "b'n'n'"],
    [{ type: 'slice', value: [1] }, 'abcd', 'bcd'],
    [{ type: 'slice', value: [1, 3] }, 'a😀cd', '😀c'],
    [{ type: 'slice', value: [-2] }, 'abcd', 'cd'],
    [{ type: 'slice', value: [-9, -1] }, 'abcd', 'abc'],
    [{ type: 'slice', value: [3, 1] }, 'abcd', null],
    [{ type: 'slice', value: [1, 3] }, 'a  d', null],
    [{ type: 'replaceStrings', value: ['N/A', ''] }, 'N/A', null],
    [{ type: 'split', by: '-', index: 1 }, 'CA--x', null],
    [{ type: 'split', by: '-', index: 1 }, 'CA-90210-x', '90210'],
    [{ type: 'split', by: '-', index: -1 }, 'CA-90210-x', 'x'],
    [{ type: 'split', by: '-', index: 5 }, 'CA-90210-x', null],
    [{ type: 'padStart', length: 5 }, '123', '00123'],
    [{ type: 'padStart', length: 2 }, '12345', '12345'],
    [{ type: 'padStart', length: 6, fill: 'xy' }, 'abc', 'xyxabc'],
    [{ type: 'regexExtract', pattern: '([0-9]+) mo', group: 1 }, 'about 36 months', '36'],
    [{ type: 'regexExtract', pattern: '[0-9]+' }, 'none', null],
  ];
  test.each(cases)('%j of %j is %j', (step, from, to) => expectCases(duckdb(), 'product', [step], [[words(from), to]]));

  test('a text is searched only as far as the pattern is simple', async () => {
    const heavy = '[ab]*a[ab]{201}c';
    const simple = '[ab]+c';
    const text = `${'ab'.repeat(5_000)}c`;
    const short = `${'ab'.repeat(500)}c`;
    const searched = (pattern: string, from: string, made: string | { reason: string }) =>
      expectCases(duckdb(), 'product', [{ type: 'regexExtract', pattern }], [[words(from), made] as Case]);
    await searched(heavy, text, { reason: 'is too long for the pattern' });
    await searched(heavy, short, short);
    await searched(simple, text, text);
  });

  const OVER = { reason: 'gives a text of more than 32,767 characters' };
  const long = (length: number, letters = 'abc') => letters.repeat(Math.ceil(length / 3)).slice(0, length);

  test('a replacement is made up to 32,767 characters, and an error beyond', async () => {
    // Every third letter is an 'a', and each replacement adds one character.
    await expectCases(
      duckdb(),
      'product',
      [{ type: 'replaceStrings', value: ['a', 'xy'] }],
      [
        [words(`${long(24_575)}`), long(24_575).replaceAll('a', 'xy')],
        [words(`${long(24_576)}`), OVER],
        [words('😀'.repeat(32_767)), '😀'.repeat(32_767)],
        [words('a'.repeat(16_383)), 'xy'.repeat(16_383)],
        [words('a'.repeat(16_384)), OVER],
      ],
    );
    await expectCases(
      duckdb(),
      'product',
      [{ type: 'replaceStrings', value: ['😀😀', '😀é😀'] }],
      [
        [words('😀'.repeat(21_844)), '😀é😀'.repeat(10_922)],
        [words('😀'.repeat(21_846)), OVER],
      ],
    );
  });

  test('three replacements of one letter by a thousand make no text of a billion letters', () =>
    expectCases(
      duckdb(),
      'product',
      [
        { type: 'replaceStrings', value: ['a', 'b'.repeat(1000)] },
        { type: 'replaceStrings', value: ['b', 'c'.repeat(1000)] },
        { type: 'replaceStrings', value: ['c', 'd'.repeat(1000)] },
      ],
      [
        [words('a'), OVER],
        [words('x'), 'x'],
        [blank, null],
      ],
    ));

  test('a cell that is read as a text holds at most 32,767 characters', () =>
    expectCases(
      duckdb(),
      'product',
      [{ type: 'text' }],
      [
        [words(long(32_767)), long(32_767)],
        [words(long(32_768)), OVER],
        [words('😀'.repeat(32_768)), OVER],
        [words(' '.repeat(40_000)), null],
      ],
    ));

  test('what a long text is compared with, and whether it is there, is no matter of its length', () =>
    expectCases(
      duckdb(),
      'product',
      [
        // biome-ignore lint/suspicious/noThenProperty: the rule format's property name
        { type: 'switchCase', cases: [{ equals: 'x', then: 'y' }], default: 'other' },
      ],
      [
        [words(long(40_000)), 'other'],
        [words('x'), 'y'],
      ],
    ));

  test('the error of a long text quotes its beginning', async () => {
    const rules: RuleInput[] = [{ originCol: 'x', targetCol: 'monthsOnBook', serializations: [{ type: 'number' }] }];
    const mapping = mappingOf(rules);
    const headers = [ID_HEADER, 'x'];
    await stageRows(duckdb(), 'staged_quote', headers, [{ x: words('a'.repeat(301)) }, { x: words('b'.repeat(300)) }]);
    const compiled = compileMapping(mapping, { headers, epoch: 1900 }, FACTS);
    const preview = await previewRows(duckdb(), compiled, 'staged_quote');
    expect(preview.rows.map(({ cells }) => cells[1]?.errors)).toEqual([
      [`"${'a'.repeat(300)}…" is not a number`],
      [`"${'b'.repeat(300)}" is not a number`],
    ]);
  });

  test('concat is held to the same length', async () => {
    const rules: RuleInput[] = [
      {
        originCol: 'x',
        targetCol: 'product',
        serializations: [{ type: 'concat', separator: '--', parts: [{ column: 'y' }, { text: 'é' }] }],
      },
    ];
    const rows = [
      { x: words(long(16_000)), y: words(long(16_762)) },
      { x: words(long(16_000)), y: words(long(16_763)) },
      { x: blank, y: words(long(32_764)) },
      { x: blank, y: words(long(32_765)) },
      { x: words('a'), y: words(long(32_768)) },
      { x: blank, y: blank },
    ];
    const compiled = await expectAgreement(duckdb(), rules, rows);
    expect(compiled.map(({ asset, errors }) => errors[0]?.reason ?? (asset?.product as string | null)?.length)).toEqual(
      [32_767, OVER.reason, 32_767, OVER.reason, `the value of "y" ${OVER.reason}`, undefined],
    );
  });

  test('any chain of steps on texts near the limit is what the plain interpretation makes of it', async () => {
    const put = fc.tuple(fc.constantFrom('a', '-', 'é', '😀', 'ab'), fc.integer({ min: 0, max: 40 }));
    const step: fc.Arbitrary<SerializationInput> = fc.oneof(
      fc
        .tuple(fc.constantFrom('a', 'b', '-', 'ab', 'é😀'), put)
        .map(([find, [letters, times]]) => ({ type: 'replaceStrings' as const, value: [find, letters.repeat(times)] })),
      fc
        .array(
          fc.oneof(
            fc.constant({ column: 'y' }),
            put.map(([letters, times]) => ({ text: letters.repeat(times) })),
          ),
          {
            minLength: 1,
            maxLength: 3,
          },
        )
        .map((parts) => ({ type: 'concat' as const, separator: '-', parts })),
      fc.constantFrom<SerializationInput>({ type: 'upper' }, { type: 'slice', value: [3] }, { type: 'text' }),
    );
    const cell = fc
      .tuple(fc.constantFrom('a', 'ab', '-é😀', 'x'), fc.constantFrom(1, 700, 8_000, 16_383, 16_384, 32_767, 32_768))
      .map(([letters, times]) => words(letters.repeat(times)));
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 4 }),
        fc.array(fc.record({ x: cell, y: cell }), { minLength: 1, maxLength: 4 }),
        async (serializations, rows) => {
          await expectAgreement(duckdb(), [{ originCol: 'x', targetCol: 'product', serializations }], rows);
        },
      ),
      { numRuns: Number(process.env.FC_RUNS ?? 25) },
    );
  });

  test('concat passes over missing parts and is missing where only fixed text is left', async () => {
    const rules: RuleInput[] = [
      {
        originCol: 'x',
        targetCol: 'product',
        serializations: [{ type: 'concat', separator: '-', parts: [{ text: 'of' }, { column: 'y' }] }],
      },
    ];
    const rows = [
      { x: words('a'), y: number(5) },
      { x: blank, y: words('b') },
      { x: words('a'), y: blank },
      { x: blank, y: blank },
    ];
    const compiled = await expectAgreement(duckdb(), rules, rows);
    expect(compiled.map(({ asset }) => asset?.product)).toEqual(['a-of-5', 'of-b', 'a-of', null]);
  });
});

test('a rule without a column that splits a text is missing', async () => {
  const rules: RuleInput[] = [
    { originCol: 'a', targetCol: 'monthsOnBook', serializations: [{ type: 'percentage' }, { type: 'add', value: 0 }] },
    {
      originCol: null,
      targetCol: 'sum',
      serializations: [
        { type: 'split', by: '-', index: 0 },
        { type: 'omit', values: ['current'] },
        { type: 'SerializedSum', currencyColumn: 'monthsOnBook' },
      ],
    },
  ];
  const mapping = mappingOf(rules);
  await stageRows(duckdb(), 'staged_split', [ID_HEADER, 'a'], [{ a: number(0) }]);
  const compiled = compileMapping(mapping, { headers: [ID_HEADER, 'a'], epoch: 1900 }, FACTS);
  const preview = await previewRows(duckdb(), compiled, 'staged_split');
  expect(preview.rows[0]?.cells[2]).toMatchObject({
    value: null,
    errors: ['the value of "monthsOnBook" is not a currency code'],
  });
  await expectAgreement(duckdb(), rules, [{ a: number(0) }]);
});
