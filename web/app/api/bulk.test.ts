import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { idsQuerySchema, itemsOf } from './bulk.ts';

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
