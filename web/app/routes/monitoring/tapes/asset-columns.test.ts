import { customTargetField, findTargetField, type TargetField } from '@tapeline/domain/tapes/target-schema.ts';
import { expect, test } from 'vitest';
import { assetColumns, totalsOf } from './asset-columns.ts';

const field = (path: string) => findTargetField(path) as TargetField;
const heads = (columns: ReturnType<typeof assetColumns>) => columns.map((column) => column.label);

test('one currency stands in the head with its own digits', () => {
  const [sum] = assetColumns([field('sums.outstandingSum')], ['JPY'], false);
  expect(sum).toMatchObject({ label: 'Balance (JPY)', kind: 'decimal', digits: 0, shown: true });
});

test('where currencies differ each amount is followed by its own', () => {
  expect(heads(assetColumns([field('sums.sum')], ['USD', 'EUR'], false)).slice(0, 2)).toEqual([
    'Original',
    'Original currency',
  ]);
});

test('custom fields can be chosen and are not shown at first', () => {
  const [grade] = assetColumns([customTargetField({ path: 'Internal Grade', kind: 'text' })], ['USD'], false);
  expect(grade).toMatchObject({ path: 'customFields.Internal Grade', label: 'Internal Grade', shown: false });
});

test('what the borrowing base makes of an asset stands last but for what is only chosen', () => {
  const shown = (hasBorrowingBase: boolean) =>
    heads(assetColumns([field('assetId')], [], hasBorrowingBase).filter((column) => column.shown));
  expect(shown(true)).toEqual(['Asset', 'Borrowing base']);
  expect(shown(false)).toEqual(['Asset']);
});

test('the totals are by currency, and say how many assets they are without', () => {
  const figure = (currency: string | null, value: string, count: number) => ({ currency, value, count });
  const totals = totalsOf({
    count: 10,
    sums: {
      'sums.sum': [figure('EUR', '5', 4), figure('USD', '7.5', 3), figure(null, '9', 1)],
      'sums.outstandingSum': [figure('USD', '0', 10)],
    },
    rates: [],
  });
  expect(totals).toEqual([
    { path: 'sums.sum', label: 'Original principal', currency: 'EUR', sum: '5' },
    { path: 'sums.sum', label: 'Original principal', currency: 'USD', sum: '7.5', without: 3 },
    { path: 'sums.outstandingSum', label: 'Current balance', currency: 'USD', sum: '0' },
  ]);
});
