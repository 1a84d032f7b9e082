import { tableCreateSchema } from '@tapeline/domain/tables/table.schema.ts';
import { expect, it } from 'vitest';
import { demonstrationFixings } from './base-rates.ts';

it('are two years of weekly fixings that the list accepts, the latest on the last Friday', () => {
  const fixings = demonstrationFixings('2026-11-22');
  expect(tableCreateSchema.parse({ name: 'Base rates', values: fixings }).values).toEqual(fixings);
  expect(fixings).toHaveLength(210);
  expect(fixings[0]).toMatchObject({ title: 'SOFR', date: '2026-11-20' });
  expect(fixings.at(-1)).toMatchObject({ title: 'SONIA', date: '2024-11-22' });
  expect(new Set(fixings.map(({ date }) => new Date(`${date}T00:00:00Z`).getUTCDay()))).toEqual(new Set([5]));
  expect([...new Set(fixings.map(({ rate }) => Number(rate) > 3 && Number(rate) < 5))]).toEqual([true]);
});
