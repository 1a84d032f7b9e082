import { parseWithZod } from '@conform-to/zod/v4';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { problemOfNames } from '../../tests/names.ts';
import { MAX_FIELDS, MAX_INDEX, MAX_SEGMENTS } from './form-fields.ts';

const anything = z.looseObject({});

describe('names that are parsed into paths', () => {
  it.each([
    ['index', ['x[1000]'], ['x[1001]']],
    ['index far away', ['x[0]'], ['x[90000000]']],
    ['segments', [Array.from({ length: MAX_SEGMENTS }, () => 'a').join('.')], ['a.a.a.a.a.a.a.a.a.a.a']],
    ['segments in brackets', [`a${'[0]'.repeat(MAX_SEGMENTS - 1)}`], [`a${'[0]'.repeat(MAX_SEGMENTS)}`]],
    ['prototype', ['prototypes'], ['a.__proto__.b']],
    ['constructor', ['constructors'], ['constructor']],
    ['the length of a list', ['x[0]', 'y.length'], ['x[0]', 'x.length']],
    ['the length before the list', ['y.length', 'x[0]'], ['x.length', 'x[0]']],
    ['a repeated name with a key', ['x', 'x', 'y.length'], ['x', 'x', 'x.length']],
    ['a repeated name after its key', ['x', 'y.length'], ['x', 'x.length', 'x']],
    ['lists of lists', ['x[0][0]', 'x[1][1]'], Array.from({ length: 30 }, (_, at) => `x${at}[1000]`)],
    ['edits of the form library', ['intent'], ['__intent__']],
    [
      'fields',
      Array.from({ length: MAX_FIELDS }, (_, at) => `f${at}`),
      Array.from({ length: MAX_FIELDS + 1 }, () => 'f'),
    ],
  ])('limits: %s', (_, taken, refused) => {
    expect(problemOfNames(taken)).toBeNull();
    expect(problemOfNames(refused)?.message).toEqual(expect.any(String));
  });

  test('a field that is drawn twice, as a whole and in parts, is no list', () => {
    expect(problemOfNames(['step.0.when', 'step.0.when.drawn', 'step.0.when.0.column'])).toBeNull();
  });

  test('whatever the names, what is parsed by them has no list beyond the limit', () => {
    const part = fc.constantFrom(
      'x',
      'y',
      '[0]',
      '[1000]',
      '[1001]',
      '[]',
      '.x',
      '.length',
      '.7',
      '.__proto__',
      '.90000000',
    );
    const name = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(name, { maxLength: 6 }), (names) => {
        if (problemOfNames(names)) return;
        const form = new FormData();
        for (const each of names) form.append(each, '5000');
        const longest = (value: unknown): number =>
          typeof value === 'object' && value !== null
            ? Math.max(Array.isArray(value) ? value.length : 0, ...Object.values(value).map(longest))
            : 0;
        expect(longest(parseWithZod(form, { schema: anything }).payload)).toBeLessThanOrEqual(MAX_INDEX + 7);
      }),
    );
  });
});
