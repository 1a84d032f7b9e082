import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { expect, test } from 'vitest';
import { runInOrder } from './in-order.ts';

test('the error of an item names its place, and the items after it are not run', async () => {
  const run: number[] = [];
  const refused = runInOrder([0, 1, 2], async (item) => {
    run.push(item);
    if (item === 1) throw new Refusal('badRequest', undefined, { flags: { title: 'is required' } });
    return item;
  });
  await expect(refused).rejects.toMatchObject({
    code: 'badRequest',
    message: 'Item 2: title is required',
    flags: { '1.title': 'is required' },
  });
  expect(run).toEqual([0, 1]);
  await expect(
    runInOrder([0], async () => {
      throw new TypeError('a bug');
    }),
  ).rejects.toThrow(TypeError);
  expect(await runInOrder([1, 2], async (item) => item * 2)).toEqual([2, 4]);
});
