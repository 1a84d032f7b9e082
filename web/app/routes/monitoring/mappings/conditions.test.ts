import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import { columnCatalog } from '@tapeline/domain/tapes/column-catalog.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bracketProblemOf, type ConditionLine, conditionLines, filterOfLines, NEW_LINE } from './conditions.ts';

const line = (column: string, operator: ConditionLine['operator'], value: string): ConditionLine => ({
  ...NEW_LINE,
  column,
  operator,
  value,
});
const or = (each: ConditionLine): ConditionLine => ({ ...each, join: 'or' });
const within = (open: string, each: ConditionLine, close: string): ConditionLine => ({ ...each, open, close });

describe('the lines of a condition', () => {
  it.each<[unknown, ConditionLine[]]>([
    [{}, []],
    [undefined, []],
    ['', []],
    [{ Status: 'Charged off' }, [line('Status', 'eq', 'Charged off')]],
    ['{"Balance": {"$gt": 0}}', [line('Balance', 'gt', '0')]],
    [{ Balance: { gte: 100, lt: 500.5 } }, [line('Balance', 'gte', '100'), line('Balance', 'lt', '500.5')]],
    [{ Zip: '01234', Late: true }, [line('Zip', 'eq', '01234'), line('Late', 'eq', 'true')]],
    [{ Zip: '90210', Late: 'true' }, [line('Zip', 'eq', '"90210"'), line('Late', 'eq', '"true"')]],
    [
      { $or: [{ a: { in: ['CA', 'x, y', 5] } }, { b: { exists: false } }] },
      [or(line('a', 'in', 'CA, "x, y", 5')), or(line('b', 'exists', 'no'))],
    ],
    [{ $and: [{ a: { neq: 1 } }, { a: { neq: 2 } }] }, [line('a', 'neq', '1'), line('a', 'neq', '2')]],
    [{ a: { like: '%late%' }, b: { like: 'A_%' } }, [line('a', 'like', 'late'), line('b', 'like', 'A_%')]],
    [{ a: { regex: '^[A-C]' } }, [line('a', 'regex', '^[A-C]')]],
    [{ Balance: { gt: { $field: 'Limit' } } }, [line('Balance', 'gt', '{Limit}')]],
    [{ Balance: { $field: 'Limit' } }, [line('Balance', 'eq', '{Limit}')]],
    [{ paid: { lt: { $cutOff: '-90d' } } }, [line('paid', 'lt', 'cutOff - 90d')]],
    [{ paid: { lt: { $cutOff: '+3m' } } }, [line('paid', 'lt', 'cutOff + 3m')]],
    [{ paid: { lt: 'cutOff - 90d' } }, [line('paid', 'lt', '"cutOff - 90d"')]],
    [{ $not: { a: 1 } }, [within('not (', line('a', 'eq', '1'), ')')]],
    [
      { $nor: [{ a: 1 }, { b: 2 }] },
      [within('not (', or(line('a', 'eq', '1')), ''), within('', or(line('b', 'eq', '2')), ')')],
    ],
    [{ $or: [{ a: 1, b: 2 }] }, [line('a', 'eq', '1'), line('b', 'eq', '2')]],
    [
      { a: 1, $or: [{ b: 2 }, { c: 3 }] },
      [line('a', 'eq', '1'), within('(', line('b', 'eq', '2'), ''), within('', or(line('c', 'eq', '3')), ')')],
    ],
  ])('of %j', (filter, lines) => {
    expect(conditionLines(filter)).toEqual(lines);
  });

  it.each([
    [{ a: { regex: 'x', options: 'i' } }],
    [{ a: [1, 2] }],
    [{ a: { near: 1 } }],
    [{ a: { lt: { $cutOff: '3 months' } } }],
    [{ a: { like: 'whole' } }],
    [{ $or: [] }],
    [{ $or: [{ a: 1 }, {}] }],
    [{ a: {} }],
    ['{"a": '],
    [[{ a: 1 }]],
    [7],
  ])('cannot show %j', (filter) => {
    expect(conditionLines(filter)).toBeNull();
  });

  it('are kept as they are while their brackets do not match', () => {
    const lines = [within('(', line('a', 'eq', '1'), ''), or(line('b', 'eq', '2')), line('c', 'eq', '3')];
    const filter = filterOfLines(lines);
    expect(bracketProblemOf(filter)).toBe(
      'Condition 3: Use brackets to group conditions: this line mixes “and” with “or”',
    );
    expect(conditionLines(filter)).toEqual(lines);
    const closed = [lines[0]!, within('', lines[1]!, ')'), lines[2]!];
    expect(filterOfLines(closed)).toEqual({ $or: [{ a: 1 }, { b: 2 }], c: 3 });
    expect(bracketProblemOf(filterOfLines(closed))).toBeNull();
    expect(conditionLines({ $unfinished: { lines: [7, { open: 1 }] } })).toEqual([NEW_LINE, NEW_LINE]);
  });

  it('read empty boxes as what is still to be filled in', () => {
    expect(filterOfLines([line('', 'eq', ' ')])).toEqual({});
    expect(filterOfLines([line('a', 'gt', '')])).toEqual({ a: { gt: null } });
    expect(filterOfLines([line('a', 'eq', '1'), or(line('', 'eq', ''))])).toEqual({ a: 1 });
    for (const operator of ['eq', 'gt', 'in', 'like', 'regex'] as const) {
      const unfinished = [line('a', operator, '')];
      expect(conditionLines(filterOfLines(unfinished))).toEqual(unfinished);
    }
    expect(filterOfLines([line('a', 'exists', '')])).toEqual({ a: { exists: true } });
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
    const filter = fc.letrec<{ group: object }>((tie) => ({
      group: fc.oneof(
        { maxDepth: 3 },
        part,
        fc.array(part, { minLength: 2, maxLength: 4 }).map(($and) => ({ $and })),
        fc.array(tie('group'), { minLength: 1, maxLength: 3 }).map(($or) => ({ $or })),
        tie('group').map(($not) => ({ $not })),
      ),
    })).group;
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
