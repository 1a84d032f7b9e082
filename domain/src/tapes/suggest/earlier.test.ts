import { describe, expect, test } from 'vitest';
import { type RuleInput, rulesSchema } from '../rule.schema.ts';
import type { SampleCell } from './column-summary.ts';
import { keepRule } from './earlier.ts';
import { NO_FACTS } from './steps.ts';
import { suggestMapping } from './suggest-mapping.ts';

const texts = (...values: string[]): SampleCell[] => values.map((value) => ({ tag: 2, value }));
const keep = (rule: Omit<RuleInput, 'originCol'>, cells: readonly SampleCell[]) =>
  keepRule({ header: 'X', cells }, rulesSchema.parse([{ originCol: 'X', ...rule }])[0]!, NO_FACTS);
const typesOf = ({ rule }: ReturnType<typeof keep>) => rule.serializations.map(({ type }) => type);

describe('a rule of an earlier mapping', () => {
  test('stays as it was where the values are still written so', () => {
    const kept = keep({ targetCol: 'dateFinanced', serializations: [{ type: 'date', format: 'american' }] }, [
      ...texts('1/31/2024', '2/1/2024'),
    ]);
    expect(typesOf(kept)).toEqual(['date']);
    expect(kept.confidence).toBe(0.98);
  });

  test('is read afresh where the values are written in another form now, with its checks and validations', () => {
    const kept = keep(
      {
        targetCol: 'dateFinanced',
        checks: ['Mandatory'],
        validations: [{ kind: 'minDate', value: '2000-01-01' }],
        serializations: [{ type: 'date', format: 'american' }],
      },
      texts('31/01/2024', '30/01/2024', '29/01/2024'),
    );
    expect(kept.rule.serializations).toEqual([{ type: 'date', format: 'ISO', order: 'dayFirst' }]);
    expect(kept.rule).toMatchObject({ checks: ['Mandatory'], validations: [{ kind: 'minDate' }] });
    expect(kept.confidence).toBeLessThan(0.9);
    expect(kept.reason).toContain('a different format: 3 of 3 values are dates written day first');
    const sums = keep({ targetCol: 'sums.sum', serializations: [{ type: 'SerializedSum' }] }, texts('$1', '($2)'));
    expect(sums.rule.serializations).toEqual([
      { type: 'replaceStrings', value: ['$', ''] },
      { type: 'SerializedSum', negative: 'brackets' },
    ]);
    const term: Omit<RuleInput, 'originCol'> = {
      targetCol: 'term',
      serializations: [{ type: 'SerializedTerm', unit: 'months' }],
    };
    expect(typesOf(keep(term, texts('48 mths', '12 mths')))).toEqual(['replaceStrings', 'SerializedTerm']);
    expect(typesOf(keep(term, texts('48 months', '12')))).toEqual(['SerializedTerm']);
  });

  test('of several steps, and one whose values nothing reads, are left as a person wrote them', () => {
    const steps: RuleInput['serializations'] = [
      { type: 'replaceStrings', value: ['a', 'b'] },
      { type: 'date', format: 'american' },
    ];
    expect(typesOf(keep({ targetCol: 'dateFinanced', serializations: steps }, texts('31/01/2024')))).toEqual([
      'replaceStrings',
      'date',
    ]);
    const plain = keep({ targetCol: 'sums.sum', serializations: [{ type: 'SerializedSum' }] }, texts('many', 'few'));
    expect(typesOf(plain)).toEqual(['SerializedSum']);
  });

  // biome-ignore-start lint/suspicious/noThenProperty: `then` is part of the contract; a case is never awaited
  const STATUS: Omit<RuleInput, 'originCol'> = {
    targetCol: 'assetStatus',
    serializations: [
      { type: 'switchCase', cases: [{ equals: 'Open', then: 'pending' }], default: { previous: true } },
      { type: 'assetStatus' },
    ],
  };

  test('of statuses gets the words it did not know, and keeps its own reading of those it did', () => {
    const kept = keep(STATUS, texts('OPEN', 'PIF', 'PIF', 'Mystery'));
    expect(kept.rule.serializations[0]).toMatchObject({
      cases: [
        { equals: 'Open', then: 'pending' },
        { equals: 'PIF', then: 'paid' },
      ],
    });
    expect(kept.reason).toContain('new words are added: PIF (2)');
    const plain = keep({ targetCol: 'assetStatus', serializations: [{ type: 'assetStatus' }] }, texts('PIF', 'Paid'));
    expect(typesOf(plain)).toEqual(['switchCase', 'assetStatus']);
  });
  // biome-ignore-end lint/suspicious/noThenProperty: `then` is part of the contract; a case is never awaited

  test('of statuses that knows every word stays, and so does one that changes words first', () => {
    expect(keep(STATUS, texts('Open', 'current', 'Mystery')).confidence).toBe(0.98);
    const sliced = { ...STATUS, serializations: [{ type: 'slice' as const, value: [0, 3] }, ...STATUS.serializations] };
    expect(keep(sliced, texts('PIF')).confidence).toBe(0.98);
  });
});

describe('what is reused of an earlier mapping', () => {
  const cells = texts('1,200', '2,400', '900', '80', '75', '60');
  const rules = rulesSchema.parse([
    { originCol: 'Balance', targetCol: 'sums.outstandingSum', serializations: [{ type: 'SerializedSum' }] },
    { originCol: 'Balance', targetCol: 'customFields.balanceText', serializations: [{ type: 'text' }] },
    { originCol: 'Balance', targetCol: 'customFields.isLarge', serializations: [{ type: 'number' }] },
  ]);

  test('is every rule of a column, of the latest mapping that reads it', () => {
    const older = rulesSchema.parse([
      { originCol: 'Balance', targetCol: 'customFields.older', serializations: [{ type: 'text' }] },
    ]);
    const found = suggestMapping({ columns: [{ header: 'Balance', cells }], earlier: [rules, older] });
    expect(found.map(({ rule }) => rule.targetCol)).toEqual(rules.map(({ targetCol }) => targetCol));
  });

  test('is off and unsure where it reads no value any more, for custom fields too', () => {
    const names = texts('Ann', 'Bo', 'Cy', 'Di', 'Ed', 'Flo');
    const earlier = rulesSchema.parse([
      { originCol: 'X', targetCol: 'customFields.income', serializations: [{ type: 'number' }] },
    ]);
    const [found] = suggestMapping({ columns: [{ header: 'X', cells: names }], earlier: [earlier] });
    expect(found).toMatchObject({ confidence: 0, isOn: false });
    expect(found?.reason).toContain('6 of 6 values can no longer be read');
  });
});
