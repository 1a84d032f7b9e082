import { expect, test } from 'vitest';
import { z } from 'zod';
import { mismatches } from './answer-check.ts';

const schema = z.object({
  title: z.string(),
  amounts: z.array(z.object({ sum: z.number(), currency: z.string() })),
  note: z
    .string()
    .transform((text) => text.length)
    .optional(),
});

test('an answer matches its schema, or each difference is a line', () => {
  expect(mismatches(schema, { title: 'a', amounts: [{ sum: 1, currency: 'USD' }], note: 'b' })).toEqual([]);
  expect(mismatches(schema, { amounts: [{ sum: '1', currency: 'USD' }] })).toEqual([
    expect.stringMatching(/^title: /),
    expect.stringMatching(/^amounts\.0\.sum: /),
  ]);
});

test('a field that the schema does not name is a difference, at any depth', () => {
  expect(mismatches(schema, { title: 'a', amounts: [{ sum: 1, currency: 'USD', secret: 1 }], more: null })).toEqual([
    'amounts.0.secret is not in the schema',
    'more is not in the schema',
  ]);
  expect(mismatches(z.array(schema), [{ title: 'a', amounts: [], more: 1 }])).toEqual(['0.more is not in the schema']);
});
