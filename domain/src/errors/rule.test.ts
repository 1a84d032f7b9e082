import { expect, test } from 'vitest';
import { z } from 'zod';
import { type InputRule, requireRule } from './rule.ts';

test('a rule says the same in a schema and in an operation, also after a schema was refined with it', () => {
  const rule: InputRule<{ from: number; to: number }> = [
    ({ from, to }) => from <= to,
    { path: ['to'], message: 'must not be before the start' },
  ];
  const refused = expect.objectContaining({ flags: { to: 'must not be before the start' } });
  const broken = { from: 2, to: 1 };
  expect(() => requireRule(rule, { from: 1, to: 1 }, 'No')).not.toThrow();
  expect(() => requireRule(rule, broken, 'No')).toThrow(refused);
  const schema = z.object({ from: z.number(), to: z.number() }).refine(...rule);
  expect(schema.safeParse(broken).error?.issues).toMatchObject([
    { path: ['to'], message: 'must not be before the start' },
  ]);
  expect(() => requireRule(rule, broken, 'No')).toThrow(refused);
});
