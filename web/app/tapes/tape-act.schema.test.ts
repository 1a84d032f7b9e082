import { expect, it } from 'vitest';
import { discardSchema } from './tape-act.schema.ts';

it('reads one row, or all where all is said', () => {
  expect(discardSchema.parse({ rows: '7', confirmed: 'yes' })).toEqual({ rows: 7, confirmed: 'yes' });
  expect(discardSchema.parse({ rows: 'all' })).toEqual({ rows: 'all' });
});
it.each([undefined, '', '0', '-1', '1.5', 'ALL'])('takes "%s" for no row, and never for all of them', (rows) =>
  expect(discardSchema.safeParse({ rows }).success).toBe(false),
);
