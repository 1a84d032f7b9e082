import { describe, expect, it } from 'vitest';
import { isRefusal } from '../errors/refusal.ts';
import { UNSTORABLE } from '../wire/text.ts';
import { createCatalog } from './catalog.ts';
import { fieldsOf } from './filter.ts';
import { parseFilter } from './parse.ts';
import { filterToJson } from './print.ts';

const catalog = createCatalog(
  [
    { path: 'address.state', label: 'State', type: 'text' },
    { path: 'office.state', label: 'Office state', type: 'text' },
    { path: 'address.city', label: 'City', type: 'text' },
    { path: 'fico', label: 'FICO', type: 'number' },
    { path: 'outstanding', label: 'Outstanding', type: 'decimal' },
    { path: 'isDelinquent', label: 'Delinquent', type: 'boolean' },
    { path: 'dateFinanced', label: 'Origination date', type: 'date' },
    { path: 'updatedAt', label: 'Updated', type: 'instant' },
  ],
  'targetData.',
);

const parse = (input: unknown) => parseFilter(input, catalog);
const print = (input: unknown) => filterToJson(parse(input));

function flagsOf(input: unknown): Record<string, string> {
  try {
    parse(input);
  } catch (error) {
    if (isRefusal(error) && error.code === 'badRequest') return error.flags ?? {};
    throw error;
  }
  throw new Error('The filter was accepted');
}

describe('an accepted filter', () => {
  it.each([
    ['{"fico": 600}', { fico: 600 }],
    ['{"fico": {"$gte": 600, "lte": 700}}', { fico: { gte: 600, lte: 700 } }],
    ['{"fico": {"$ne": 600}}', { fico: { neq: 600 } }],
    ['{"city": {"in": ["Oslo", "Oslo"]}}', { 'address.city': { in: ['Oslo'] } }],
    ['{"targetData.address.city": "Oslo"}', { 'address.city': 'Oslo' }],
    ['{"$and": [{"fico": 1}, {"$and": [{"fico": {"lt": 2}}]}]}', { fico: { eq: 1, lt: 2 } }],
    ['{"$nor": [{"fico": 1}, {"fico": 2}]}', { $nor: [{ fico: 1 }, { fico: 2 }] }],
    ['{"$not": {"fico": 1}}', { $not: { fico: 1 } }],
    ['{"city": {"$regex": "^O", "$options": "i"}}', { 'address.city': { regex: '^O', options: 'i' } }],
    ['{"updatedAt": {"gt": "2026-10-31T10:30:00+01:00"}}', { updatedAt: { gt: '2026-10-31T09:30:00.000Z' } }],
    ['{"updatedAt": {"gt": "2026-10-31"}}', { updatedAt: { gt: '2026-10-31T00:00:00.000Z' } }],
    ['{"outstanding": {"gt": 12345678901234567.89}}', { outstanding: { gt: '12345678901234567.89' } }],
    ['{"outstanding": {"gt": "1.50"}}', { outstanding: { gt: 1.5 } }],
    ['', {}],
    [undefined, {}],
  ])('reads %s', (input, printed) => {
    expect(print(input)).toEqual(printed);
  });

  it('lists each of its fields once', () => {
    const filter = parse({ $or: [{ fico: 1, city: 'Oslo' }, { $not: { fico: 2 } }] });
    expect(fieldsOf(filter).map((field) => field.path)).toEqual(['fico', 'address.city']);
  });
});

describe('a rejected filter names the path', () => {
  it.each([
    ['{"fico"', 'filter', 'is not valid JSON'],
    ['[]', 'filter', 'must be an object of conditions, not a list'],
    ['7', 'filter', 'must be an object of conditions, not 7'],
    ['{"score": 1}', 'filter.score', 'is not a field that can be filtered by'],
    ['{"state": "CA"}', 'filter.state', 'could be address.state or office.state; write the whole path'],
    ['{"address": {"city": "Oslo"}}', 'filter.address', 'is not a field that can be filtered by'],
    ['{"$and": []}', 'filter.$and', 'must be a list of at least one condition, not []'],
    ['{"$or": [{"fico": 1}, 3]}', 'filter.$or.1', 'must be an object of conditions, not 3'],
    ['{"$where": "1"}', 'filter.$where', 'is not an operator here; the group operators are $and, $or, $nor and $not'],
    ['{"fico": {}}', 'filter.fico', 'must have an operator, for example {"eq": ...}'],
    ['{"fico": {"gte": 1, "$gte": 2}}', 'filter.fico.$gte', 'repeats gte'],
    [
      '{"fico": null}',
      'filter.fico',
      'has no value to compare with; add one, or use {"exists": false} to find missing values',
    ],
    ['{"fico": [1]}', 'filter.fico', 'must be one value; for several use {"in": [...]}'],
    ['{"fico": "600"}', 'filter.fico', 'must be a number, not "600"'],
    ['{"fico": 1e999}', 'filter.fico', 'must be a number, not Infinity'],
    ['{"fico": {"in": [1, "x"]}}', 'filter.fico.in.1', 'must be a number, not "x"'],
    ['{"fico": {"in": 1}}', 'filter.fico.in', 'must be a list of values, not 1'],
    ['{"fico": {"exists": 1}}', 'filter.fico.exists', 'must be true or false, not 1'],
    ['{"outstanding": 0.00000000001}', 'filter.outstanding', 'must have at most 10 digits after the point'],
    ['{"outstanding": 1e28}', 'filter.outstanding', 'must have at most 28 digits'],
    ['{"isDelinquent": "yes"}', 'filter.isDelinquent', 'must be true or false, not "yes"'],
    [
      '{"isDelinquent": {"gt": true}}',
      'filter.isDelinquent.gt',
      'cannot be used with Delinquent; use one of eq, neq, in, nin, exists',
    ],
    ['{"dateFinanced": "2026-02-30"}', 'filter.dateFinanced', 'must be a date like 2026-10-31, not "2026-02-30"'],
    ['{"city": 7}', 'filter.city', 'must be text, not 7'],
    ['{"city": "a\\u0000"}', 'filter.city', UNSTORABLE],
    ['{"city": "\\ud800"}', 'filter.city', UNSTORABLE],
    ['{"city": {"like": "a\\\\"}}', 'filter.city.like', 'ends with a lone \\; write \\\\ for the character'],
    ['{"city": {"options": "i"}}', 'filter.city.options', 'is only allowed with regex'],
    ['{"city": {"regex": "a", "options": "im"}}', 'filter.city.options', 'may only be "i", not "im"'],
  ])('%s', (input, path, reason) => {
    expect(flagsOf(input)).toMatchObject({ [path]: reason });
  });

  it('rejects an instant without a time zone, or one that does not exist', () => {
    for (const moment of ['2026-10-31T09:30:00', '2026-10-31T25:00:00Z', '2026-02-30', 'now', 5]) {
      expect(flagsOf({ updatedAt: moment })).toHaveProperty(['filter.updatedAt']);
    }
  });

  it('reports all errors at once', () => {
    expect(Object.keys(flagsOf({ score: 1, fico: 'a', $or: [{ city: 7 }] }))).toEqual([
      'filter.score',
      'filter.fico',
      'filter.$or.0.city',
    ]);
  });

  it.each([
    '(?=a)',
    '(?<n>a)',
    '(?i)a',
    '\\b',
    '\\1',
    '\\pL',
    '\\u0041',
    '*a',
    'a**',
    'a++',
    '^*',
    'a{',
    'a{2,1}',
    'a{256}',
    'a{x}',
  ])('the pattern %s', (regex) => {
    expect(flagsOf({ city: { regex } })).toHaveProperty(['filter.city.regex']);
  });

  it.each([
    '(a',
    'a)',
    '[a',
    '[]',
    '[b-a]',
    '[a-\\d]',
    '[[:alpha:]]',
    'a]',
    'a}',
    'a\\',
    '((a{20}){20}){20}',
    'a'.repeat(501),
  ])('the pattern %s as well', (regex) => {
    expect(flagsOf({ city: { regex } })).toHaveProperty(['filter.city.regex']);
  });
});

describe('nested repeats', () => {
  it.each([
    '(a+)+',
    '(a*)*',
    '(a{1,}){2,}',
    '(?:(a+))*',
    '(a+|b)*',
    '(a+b?)+',
    '(\\s*\\d+)*',
    '(a?){2,}',
    '(a+){3}',
    'x(y(z*)*)?',
  ])('%s is rejected, since a text can be split over the two in many ways', (regex) => {
    expect(flagsOf({ city: { regex } })['filter.city.regex']).toMatch(/nests one repeat in another, like \(a\+\)\+/);
  });

  it.each(['(a+b)+', '([A-Z]+-)*\\d+', '(\\d{3})+', '(a|b)*', '(a{1,3})?', '(?:a+)', '(a+)?b', '(,\\d{3})*'])(
    '%s is accepted, since it can be split in only one way',
    (regex) => expect(parse({ city: { regex } })).toMatchObject({ kind: 'regex', pattern: regex }),
  );
});

describe('limits', () => {
  const nested = (levels: number, key: '$not' | '$and'): unknown =>
    levels === 0
      ? { fico: 1 }
      : key === '$not'
        ? { $not: nested(levels - 1, key) }
        : { $and: [nested(levels - 1, key)] };

  it.each(['$not', '$and'] as const)('accepts %s 16 deep and rejects it 17 deep', (key) => {
    expect(parse(nested(16, key))).toBeDefined();
    expect(Object.values(flagsOf(nested(17, key)))).toEqual(['nests conditions deeper than 16; simplify the filter']);
  });

  it('rejects JSON nested so deep that reading it would exhaust the stack', () => {
    for (const levels of [1_000, 100_000]) {
      expect(Object.keys(flagsOf(`${'{"$not":'.repeat(levels)}{}${'}'.repeat(levels)}`))).toHaveLength(1);
    }
  });

  it('accepts 1,000 nodes and rejects 1,001', () => {
    const wide = (conditions: number) => ({ $or: Array.from({ length: conditions }, (_, index) => ({ fico: index })) });
    expect(parse(wide(999))).toBeDefined();
    expect(Object.values(flagsOf(wide(1_000)))).toEqual(['has more than 1000 conditions; use fewer']);
  });

  it('accepts 1,000 values in lists and rejects 1,001', () => {
    const list = (values: number) => ({ fico: { in: Array.from({ length: values }, (_, index) => index) } });
    expect(parse(list(1_000))).toBeDefined();
    expect(flagsOf(list(1_001))).toHaveProperty(['filter.fico.in']);
  });

  it('accepts 20 regexes and rejects 21', () => {
    const many = (count: number) => ({ $or: Array.from({ length: count }, () => ({ city: { regex: 'a' } })) });
    expect(parse(many(20))).toBeDefined();
    expect(flagsOf(many(21))).toHaveProperty(['filter.$or.20.city.regex']);
  });

  it('reads a circular object only to the maximum depth', () => {
    const loop: Record<string, unknown> = {};
    loop.$not = loop;
    expect(Object.values(flagsOf(loop))).toEqual(['nests conditions deeper than 16; simplify the filter']);
  });
});
