import { describe, expect, test } from 'vitest';
import { lpCreateSchema, lpUpdateSchema } from './lp.schema.ts';

const id = 'a'.repeat(24);
const long = (length: number) => 'x'.repeat(length);
const lp = { title: 'Calder Valley', entity: id };

const problems = (changes: Record<string, unknown>): string[] => {
  const result = lpCreateSchema.safeParse({ ...lp, ...changes });
  return result.success ? [] : result.error.issues.map(({ path }) => path.join('.'));
};

describe('an investor enforces its limits', () => {
  test.each([
    ['title', { title: long(2) }, { title: long(1) }],
    ['title', { title: long(250) }, { title: long(251) }],
    ['domains', { domains: Array(10).fill('a.test') }, { domains: Array(11).fill('a.test') }],
    ['group.title', { group: { title: long(250) } }, { group: { title: long(251) } }],
    ['group.id', { group: { id } }, { group: { id: 'x' } }],
    ['group', { group: null }, { group: {} }],
  ])('%s', (path, within, beyond) => {
    expect(problems(within)).toEqual([]);
    expect(problems(beyond)).toEqual([path]);
  });

  test('an update names the version that it changes', () => {
    expect(lpUpdateSchema.safeParse({ ...lp, domains: [] }).success).toBe(false);
    expect(lpUpdateSchema.safeParse({ ...lp, domains: [], version: 1 }).success).toBe(true);
  });
});
