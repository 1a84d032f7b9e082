import { expect, test } from 'vitest';
import { z } from 'zod';
import { flattenIssues, issuesOf, plainMessage } from './issues.ts';

const messagesOf = (schema: z.ZodType, input: unknown): Record<string, string> => {
  const result = schema.safeParse(input, { error: plainMessage });
  if (result.success) return {};
  return Object.fromEntries(flattenIssues(result.error.issues).map((issue) => [issue.path.join('.'), issue.message]));
};

test('an issue without words of its own continues the name of the field', () => {
  const schema = z.object({
    title: z.string().min(2),
    files: z.array(z.string()).max(1),
    count: z.int().min(1),
    kind: z.enum(['a', 'b']),
    exact: z.literal(true),
    own: z.string('Name the file'),
  });
  expect(messagesOf(schema, {})).toEqual({
    title: 'is required',
    files: 'is required',
    count: 'is required',
    kind: 'is required',
    exact: 'is required',
    own: 'Name the file',
  });
  expect(messagesOf(schema, { title: 'x', files: ['a', 'b'], count: 0, kind: 'c', exact: false, own: '' })).toEqual({
    title: 'must have at least 2 characters',
    files: 'must have at most 1 item',
    count: 'must be at least 1',
    kind: 'must be one of a, b',
    exact: 'must be true',
  });
  expect(messagesOf(schema, { title: 1, files: 'a', count: 1.5, kind: 'a', exact: true, own: 'x' })).toEqual({
    title: 'must be text',
    files: 'must be a list',
    count: 'must be a whole number',
  });
  expect(messagesOf(z.strictObject({}), { extra: 1 })).toEqual({ '': 'has unknown fields: extra' });
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}`, 1]));
  expect(messagesOf(z.strictObject({}), many)['']).toMatch(/f9 and 2 more$/);
  expect(messagesOf(z.strictObject({}), { ['x'.repeat(500)]: 1 })['']).toHaveLength(121);
});

test('a field that is not there is required, whatever its own words are; a list keeps its words', () => {
  const schema = z.object({
    amount: z.number('Write the amount that is required'),
    kind: z.enum(['a'], 'Choose a kind'),
    lines: z.array(z.string(), 'At least one line'),
    files: z.array(z.string()),
  });
  const reported = (input: unknown) =>
    issuesOf(schema.safeParse(input, { error: plainMessage }).error!, input).map(({ message }) => message);
  expect(reported({})).toEqual(['is required', 'is required', 'At least one line', 'is required']);
  const wrong = ['Write the amount that is required', 'Choose a kind', 'At least one line', 'must be a list'];
  expect(reported({ amount: 'x', kind: 'b', lines: 1, files: 2 })).toEqual(wrong);
});

test('a union is judged by the alternative that was meant', () => {
  const schema = z.object({
    items: z.union([z.object({ name: z.string() }), z.array(z.object({ name: z.string() }))]),
  });
  expect(messagesOf(schema, { items: [{ name: 'a' }, {}] })).toEqual({ 'items.1.name': 'is required' });
  expect(messagesOf(schema, { items: {} })).toEqual({ 'items.name': 'is required' });
  expect(messagesOf(schema, { items: 1 })).toEqual({ items: 'is not in an accepted format' });
});
