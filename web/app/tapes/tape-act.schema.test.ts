import { expect, it } from 'vitest';
import { discardSchema } from './tape-act.schema.ts';

it('reads one row, or all where none is named', () => {
  expect(discardSchema.parse({ row: '7', confirmed: 'yes' })).toEqual({ row: 7, confirmed: 'yes' });
  expect(discardSchema.parse({})).toEqual({});
});
it.each(['', '0', '-1', '1.5', 'all'])('takes "%s" for no row, and never for all of them', (row) =>
  expect(discardSchema.safeParse({ row }).success).toBe(false));
