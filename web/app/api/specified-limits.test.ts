import { changed, errorsOf } from '@tapeline/domain/documents/testing/limits.ts';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { endpoints } from './api.server.ts';
import { SPECIFIED_LIMITS, SPECIFIED_MESSAGES, type SpecifiedLimit } from './testing/specified-limits.ts';

function bodyOf(call: string): z.ZodType {
  const found = endpoints.find(({ method, path }) => `${method} ${path}` === call)?.body;
  if (!found) throw new Error(`${call} takes no body`);
  return found;
}

/** A value of a size: so many characters or items, or the number itself. */
function valueOfSize({ kind, item }: SpecifiedLimit, size: number): unknown {
  if (kind === 'number') return size;
  if (kind === 'text') return 'x'.repeat(size);
  return Array.from({ length: size }, (_, index) => item?.(index));
}

const cases = Object.entries(SPECIFIED_LIMITS).flatMap(([call, { example, limits }]) =>
  limits.map((limit) => ({ call, example, limit, path: limit.path || 'body', least: limit.least, most: limit.most })),
);

describe('every limit of the specification holds at its call', () => {
  it.each(Object.entries(SPECIFIED_LIMITS))('%s accepts its example', (call, { example }) => {
    expect(errorsOf(bodyOf(call), example)).toEqual({});
  });

  it.each(cases)('$call: $path from $least to $most', ({ call, example, limit, path }) => {
    const { least, most, step = 1 } = limit;
    const errors = (size: number) => {
      const value = valueOfSize(limit, size);
      return errorsOf(bodyOf(call), limit.path === '' ? value : changed(example, limit.path, value));
    };
    // A least number of characters or items is at least 1; the value below it is 0 or more.
    if (least !== null) expect(errors(least)).toEqual({});
    if (least !== null)
      expect(Object.keys(errors(least - step)), `below ${least}`).toContain(path === 'body' ? '' : path);
    if (most !== null) expect(errors(most)).toEqual({});
    if (most !== null) expect(Object.keys(errors(most + step)), `above ${most}`).toContain(path === 'body' ? '' : path);
  });
});

describe('every message of the specification is at its field', () => {
  it.each(SPECIFIED_MESSAGES)('$call: $message ($path)', ({ call, example, path, value, message, at = path }) => {
    expect(errorsOf(bodyOf(call), changed(example, path, value))).toMatchObject({ [at]: message });
  });
});
