import type { RuleInput } from '@tapeline/domain/tapes/rule.schema.ts';
import type { SerializationInput } from '@tapeline/domain/tapes/serialization.schema.ts';
import { describe, expect, test } from 'vitest';
import { expectAgreement, expectCases, useDuckDb } from './testing/cases.ts';
import { blank, number, words } from './testing/mapped-rows.ts';

const duckdb = useDuckDb();

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
