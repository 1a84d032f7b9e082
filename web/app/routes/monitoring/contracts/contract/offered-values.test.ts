import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import type { FieldValues } from '@tapeline/lake/field-values.ts';
import { expect, it } from 'vitest';
import { hintOf, operandsOf, optionsOf } from './offered-values.ts';

const values = (more: Partial<FieldValues>): FieldValues => ({
  known: 10,
  missing: 0,
  values: [],
  distinct: 0,
  range: null,
  ...more,
});
const state = { path: 'address.state', label: 'State', type: 'text' } as const;

it('offers the values of the tape with their counts, and before they are known those that the field may have', () => {
  const found = values({ values: [{ value: 'CA', count: 1 }], distinct: 1 });
  expect(optionsOf(state, found)).toEqual([{ value: 'CA', label: 'CA (1 asset)' }]);
  expect(optionsOf({ ...state, values: ['CA', 'NY'] }, null).map(({ value }) => value)).toEqual(['CA', 'NY']);
  expect(optionsOf(undefined, null)).toEqual([]);
});

it('says when not all values are listed, and how many assets have none', () => {
  const few = [{ value: 'CA', count: 10 }];
  expect(hintOf(values({ values: few, distinct: 1, missing: 2 }))).toBe(
    '1 value on the tape; 2 assets without a value',
  );
  expect(hintOf(values({ values: few, distinct: 2 }))).toBe('2 values on the tape: type to search');
  expect(hintOf(null)).toBeUndefined();
});

it('gives the range of a number', () => {
  const range = { min: '300', lower: '640', median: '680', upper: '720', max: '850' };
  expect(hintOf(values({ range }))).toBe('On the tape 300 to 850, half of it 640 to 720');
});

it('offers fields of the same kind and the cut-off date to compare with', () => {
  const { fields } = assetCatalog();
  const of = (path: string) =>
    operandsOf(
      fields.find((field) => field.path === path),
      fields,
    ).map(({ value }) => value);
  expect(of('currentLtv')).toEqual(['{Interest rate}', '{Original LTV}']);
  expect(of('sums.sum')).toContain('{Current balance}');
  expect(of('sums.sum')).not.toContain('{Current LTV}');
  expect(of('dates.maturityDate').slice(0, 2)).toEqual(['cutOff - 90d', '{Origination date}']);
  expect([...of('sector'), ...of('isDelinquent'), ...operandsOf(undefined, fields)]).toEqual([]);
});
