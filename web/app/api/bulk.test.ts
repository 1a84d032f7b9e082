import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eachItem, idsQuerySchema, itemsOf } from './bulk.ts';

const idOf = (number: number) => number.toString(16).padStart(24, '0');
const ids = (count: number) => Array.from({ length: count }, (_, number) => idOf(number));

describe('a list body', () => {
  test.each([
    [0, false],
    [1, true],
    [500, true],
    [501, false],
  ])('of %i items is accepted: %s', (count, accepted) => {
    expect(itemsOf(z.string()).safeParse(ids(count)).success).toBe(accepted);
  });

  test('has as many items as the call says', () => {
    expect(itemsOf(z.string(), 3).safeParse(ids(3)).success).toBe(true);
    expect(itemsOf(z.string(), 3).safeParse(ids(4)).error?.issues[0]?.message).toBe('must have 1 to 3 items');
  });
});

describe('ids of a query', () => {
  test.each([
    [0, false],
    [1, true],
    [500, true],
    [501, false],
  ])('that names %i documents is accepted: %s', (count, accepted) => {
    expect(idsQuerySchema().safeParse({ ids: ids(count) }).success).toBe(accepted);
  });

  test('may be a single one, are kept once and in lower case, and must be ids', () => {
    const id = 'ABCDEFabcdef012345678901';
    expect(idsQuerySchema().parse({ ids: id })).toEqual({ ids: [id.toLowerCase()] });
    expect(idsQuerySchema().parse({ ids: [id, id.toLowerCase()] })).toEqual({ ids: [id.toLowerCase()] });
    expect(idsQuerySchema().safeParse({ ids: ['x'] }).success).toBe(false);
    expect(idsQuerySchema().safeParse({}).success).toBe(false);
  });
});

test('the error of an item names its place, and the items after it are not run', async () => {
  const run: number[] = [];
  const refused = eachItem([0, 1, 2], async (item) => {
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
    eachItem([0], async () => {
      throw new TypeError('a bug');
    }),
  ).rejects.toThrow(TypeError);
  expect(await eachItem([1, 2], async (item) => item * 2)).toEqual([2, 4]);
});
