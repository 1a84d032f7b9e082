import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import { columnCatalog } from '@tapeline/domain/tapes/column-catalog.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConditionLine, conditionLines, filterOfLines } from './conditions.ts';

const line = (column: string, operator: ConditionLine['operator'], value: string): ConditionLine => ({
  column,
  operator,
  value,
});

describe('the lines of a condition', () => {
  it.each<[unknown, 'and' | 'or', ConditionLine[]]>([
    [{}, 'and', []],
    [undefined, 'and', []],
    ['', 'and', []],
    [{ Status: 'Charged off' }, 'and', [line('Status', 'eq', 'Charged off')]],
    ['{"Balance": {"$gt": 0}}', 'and', [line('Balance', 'gt', '0')]],
    [{ Balance: { gte: 100, lt: 500.5 } }, 'and', [line('Balance', 'gte', '100'), line('Balance', 'lt', '500.5')]],
    [{ Zip: '01234', Late: true }, 'and', [line('Zip', 'eq', '01234'), line('Late', 'eq', 'true')]],
    [{ Zip: '90210', Late: 'true' }, 'and', [line('Zip', 'eq', '"90210"'), line('Late', 'eq', '"true"')]],
    [
      { $or: [{ a: { in: ['CA', 'x, y', 5] } }, { b: { exists: false } }] },
      'or',
      [line('a', 'in', 'CA, "x, y", 5'), line('b', 'exists', 'no')],
    ],
    [{ $and: [{ a: { neq: 1 } }, { a: { neq: 2 } }] }, 'and', [line('a', 'neq', '1'), line('a', 'neq', '2')]],
    [{ a: { like: '%late%' }, b: { like: 'A_%' } }, 'and', [line('a', 'like', 'late'), line('b', 'like', 'A_%')]],
    [{ a: { regex: '^[A-C]' } }, 'and', [line('a', 'regex', '^[A-C]')]],
  ])('of %j join by %s', (filter, join, lines) => {
    expect(conditionLines(filter)).toEqual({ join, lines });
  });

  it.each([
    [{ $not: { a: 1 } }],
    [{ $nor: [{ a: 1 }] }],
    [{ $or: [{ a: 1, b: 2 }] }],
    [{ $or: [{ $and: [{ a: 1 }] }] }],
    [{ a: 1, $or: [{ b: 2 }] }],
    [{ a: { regex: 'x', options: 'i' } }],
    [{ a: [1, 2] }],
    [{ a: { near: 1 } }],
    [{ a: { like: 'whole' } }],
    ['{"a": '],
    [[{ a: 1 }]],
    [7],
  ])('cannot show %j', (filter) => {
    expect(conditionLines(filter)).toBeNull();
  });

  it('read empty boxes as what is still to be filled in', () => {
    expect(filterOfLines({ join: 'and', lines: [line('', 'eq', ' ')] })).toEqual({});
    expect(filterOfLines({ join: 'and', lines: [line('a', 'gt', '')] })).toEqual({ a: { gt: null } });
    expect(filterOfLines({ join: 'or', lines: [line('a', 'eq', '1'), line('', 'eq', '')] })).toEqual({ a: 1 });
    for (const operator of ['eq', 'gt', 'in', 'like', 'regex'] as const) {
      const unfinished = { join: 'and', lines: [line('a', operator, '')] } as const;
      expect(conditionLines(filterOfLines(unfinished))).toEqual(unfinished);
    }
    expect(filterOfLines({ join: 'and', lines: [line('a', 'exists', '')] })).toEqual({ a: { exists: true } });
  });

  it.each([[['CA', 'x, y', ', ']], [['{,}', '(a, b)']]])(
    'keep texts with commas whole wherever they stand: %j',
    (texts) => {
      const lines = conditionLines({ a: { in: texts } });
      expect(filterOfLines(lines!)).toEqual({ a: { in: texts } });
    },
  );

  it('say the same filter again after the form', () => {
    const text = fc.oneof(
      fc.constantFrom(
        'CA',
        '90210',
        'true',
        'x, y',
        '"',
        '(missing)',
        '{a}',
        '{,}',
        'a%b',
        ' x',
        '2026-10-31',
        "O'Neil",
        '-5',
      ),
      fc.string({ minLength: 1, maxLength: 6 }),
    );
    const literal = fc.oneof(text, fc.integer(), fc.boolean());
    const condition = fc.oneof(
      literal,
      fc.record({ gt: fc.integer(), lte: fc.integer() }),
      fc.record({ neq: literal }),
      fc.record({ in: fc.array(literal, { minLength: 1, maxLength: 3 }) }),
      fc.record({ like: text }),
      fc.record({ exists: fc.boolean() }),
    );
    const part = fc
      .tuple(fc.constantFrom('a', 'Days past due', 'sums.sum'), condition)
      .map(([name, test]) => ({ [name]: test }));
    const filter = fc.oneof(
      part,
      fc.array(part, { minLength: 2, maxLength: 4 }).map(($and) => ({ $and })),
    );
    // Compare as a mapping reads it: a column takes the type of the value that it is compared with.
    const meaning = (each: unknown) =>
      parseFilter(
        each,
        columnCatalog(each, (header) => ({ source: { from: 'origin', header } })),
      );
    const isSound = (each: unknown): boolean => {
      try {
        meaning(each);
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(filter, (before) => {
        const lines = conditionLines(before);
        fc.pre(lines !== null && isSound(before));
        const again = filterOfLines(lines!);
        expect(conditionLines(again)).toEqual(lines);
        expect(meaning(again)).toEqual(meaning(before));
      }),
    );
  });
});
