import { expect, test } from 'vitest';
import { firstContractSchema } from './first-contract-form.ts';

test('An advance rate has at most 8 decimals and is at most 100%', () => {
  const form = { note: 'a'.repeat(24), cutOffDate: '2026-10-31', assetsETL: 'b'.repeat(24) };
  const messagesOf = (defaultRate: number) =>
    (firstContractSchema.safeParse({ ...form, defaultRate }).error?.issues ?? []).map(({ path, message }) => [
      path.join('.'),
      message,
    ]);
  expect(messagesOf(0.12345678)).toEqual([]);
  expect(messagesOf(0.123456789)).toEqual([['defaultRate', 'A rate has at most 8 decimals']]);
  expect(messagesOf(100)).toEqual([]);
  expect(messagesOf(100.1).map(([path]) => path)).toEqual(['defaultRate']);
});
