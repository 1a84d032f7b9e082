import { expect, it } from 'vitest';
import { correctChoiceSchema, discardSchema } from './tape-act.schema.ts';

it('reads one row, several, or all where all is said', () => {
  expect(discardSchema.parse({ rows: '7', confirmed: 'yes' })).toEqual({ rows: [7], confirmed: 'yes' });
  expect(discardSchema.parse({ rows: ['7', '9'] })).toEqual({ rows: [7, 9] });
  expect(discardSchema.parse({ rows: '7,9' })).toEqual({ rows: [7, 9] });
  expect(discardSchema.parse({ rows: 'all' })).toEqual({ rows: 'all' });
  expect(correctChoiceSchema.parse({ rows: ['7', '9'] })).toEqual({ rows: [7, 9] });
});
it.each([undefined, '', '0', '-1', '1.5', 'ALL', [], ['7', 'all']])(
  'takes %j for no rows, and never for all of them',
  (rows) => {
    expect(discardSchema.safeParse({ rows }).success).toBe(false);
    expect(correctChoiceSchema.safeParse({ rows }).success).toBe(false);
  },
);
it('says what is missing where no row is chosen', () => {
  const { error } = discardSchema.safeParse({});
  expect(JSON.stringify(error?.issues)).toContain('Choose at least one row');
});
