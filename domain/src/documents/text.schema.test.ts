import { describe, expect, test } from 'vitest';
import { entityCreateSchema } from '../entities/entity.schema.ts';
import { lpTitleSchema } from '../investors/lp.schema.ts';
import { personNameSchema } from '../people/user.schema.ts';
import { nameSchema, optionalNameSchema, textSchema } from './text.schema.ts';

const reads = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('a name', () => {
  test.each([
    ['a line break', 'Harbour\nPartners'],
    ['a carriage return', 'Harbour\rPartners'],
    ['a line separator', 'Harbour\u2028Partners'],
    ['a tabulator', 'Harbour\tPartners'],
    ['a control character', 'Harbour\u0007'],
    ['a C1 control character', 'Har\u0085bour'],
    ['a right-to-left override', 'Harbour \u202Efdp'],
    ['an isolate', 'Har\u2066bour'],
    ['a right-to-left mark', 'Har\u200Fbour'],
  ])('has no %s', (_, text) => {
    for (const schema of [nameSchema(1, 50), optionalNameSchema(50), personNameSchema, lpTitleSchema]) {
      expect(reads(schema, text)).toBe(false);
    }
    expect(reads(entityCreateSchema.shape.name, text)).toBe(false);
  });

  test('may be written in any script, with accents, joiners and punctuation', () => {
    for (const text of ['Zoë O’Brien-Łęcki', 'שלום', 'محمد', '山田 太郎', 'नम\u200dस्ते', 'A & B “Fund” – II']) {
      expect(reads(nameSchema(1, 50), text)).toBe(true);
    }
    expect(nameSchema(1, 50).parse('  Harbour \n')).toBe('Harbour');
  });

  test('is one line, while a text may have several', () => {
    expect(reads(textSchema(1, 50), 'One line\nand another')).toBe(true);
  });
});
