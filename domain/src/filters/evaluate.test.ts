import { describe, expect, it } from 'vitest';
import { createCatalog, type Field } from './catalog.ts';
import { evaluateFilter } from './evaluate.ts';
import { operatorsFor } from './operators.ts';
import { parseFilter } from './parse.ts';

const types = ['text', 'number', 'decimal', 'boolean', 'date', 'instant'] as const;
const catalog = createCatalog(types.map((type) => ({ path: type, label: type, type })));

/** For each type: a value, one below it and one above it. */
const samples = {
  text: { value: 'NY', below: 'CA', above: 'TX' },
  number: { value: 600, below: 599.5, above: 601 },
  decimal: { value: '144589166.1', below: '144589166.0999', above: '144589166.1001' },
  boolean: { value: true, below: false, above: null },
  date: { value: '2026-10-31', below: '2026-10-30', above: '2026-11-01' },
  instant: { value: '2026-10-31T09:30:00.000Z', below: '2026-10-31T09:29:59.999Z', above: '2026-10-31T11:30:00+01:00' },
} as const;

const ask = (filter: unknown, row: Record<string, unknown>) =>
  evaluateFilter(parseFilter(filter, catalog), (field: Field) => row[field.path]);

/** The result of each comparison for a value below, equal to and above its literal. */
const expected = {
  eq: [false, true, false],
  neq: [true, false, true],
  lt: [true, false, false],
  lte: [true, true, false],
  gt: [false, false, true],
  gte: [false, true, true],
  in: [false, true, false],
  nin: [true, false, true],
} as const;

describe.each(types)('a condition on a %s', (type) => {
  const { value, below, above } = samples[type];

  it.each(
    Object.entries(expected).filter(([operator]) => (operatorsFor(type) as readonly string[]).includes(operator)),
  )('evaluates %s below, at and above the literal', (operator, truths) => {
    const literal = operator === 'in' || operator === 'nin' ? [value] : value;
    const said = [below, value, above].map((held) => ask({ [type]: { [operator]: literal } }, { [type]: held }));
    expect(said).toEqual(truths.map((truth, index) => (above === null && index === 2 ? null : truth)));
  });

  it.each(operatorsFor(type).filter((operator) => operator !== 'exists'))(
    'is unknown for %s of a missing value',
    (operator) => {
      const literal = operator === 'in' || operator === 'nin' ? [value] : value;
      expect(ask({ [type]: { [operator]: literal } }, {})).toBeNull();
      expect(ask({ [type]: { [operator]: literal } }, { [type]: null })).toBeNull();
      expect(ask({ $not: { [type]: { [operator]: literal } } }, { [type]: null })).toBeNull();
    },
  );

  it('shows by exists whether there is a value', () => {
    expect(ask({ [type]: { exists: true } }, { [type]: value })).toBe(true);
    expect(ask({ [type]: { exists: false } }, { [type]: value })).toBe(false);
    expect(ask({ [type]: { exists: true } }, {})).toBe(false);
    expect(ask({ [type]: { exists: false } }, {})).toBe(true);
  });
});

describe('three-valued logic', () => {
  const [yes, no, unknown] = [{ number: 1 }, { number: 2 }, { text: 'a' }];
  const row = { number: 1 };

  it.each([
    [{ $and: [yes, unknown] }, null],
    [{ $and: [no, unknown] }, false],
    [{ $and: [yes, yes] }, true],
    [{ $or: [yes, unknown] }, true],
    [{ $or: [no, unknown] }, null],
    [{ $or: [no, no] }, false],
    [{ $nor: [no, unknown] }, null],
    [{ $nor: [yes, unknown] }, false],
    [{ $nor: [no, no] }, true],
    [{ $not: unknown }, null],
    [{ $not: no }, true],
    [{}, true],
    [{ $not: {} }, false],
    [{ number: { in: [] } }, false],
    [{ number: { nin: [] } }, true],
    [{ text: { in: [] } }, null],
    [{ text: { nin: [] } }, null],
  ])('evaluates %j to %s', (filter, truth) => {
    expect(ask(filter, row)).toBe(truth);
  });
});

describe('like', () => {
  it.each([
    ['york', 'New York', true],
    ['NEW', 'New York', true],
    ['new%', 'New York', true],
    ['%new', 'New York', false],
    ['n_w york', 'New York', true],
    ['n_w', 'New York', false],
    ['50\\%', 'at 50% of it', true],
    ['50\\%', 'at 505 of it', false],
    ['a\\_b', 'a_b', true],
    ['a\\_b', 'axb', false],
    ['%a%b', 'a\nb', true],
    ['', 'anything', true],
    ['ÉTÉ', 'été', true],
    ['_', '😀', true],
  ])('finds %j in %j: %s', (like, text, found) => {
    expect(ask({ text: { like } }, { text })).toBe(found);
  });
});

describe('regex', () => {
  it.each([
    ['^A[1-3]$', 'A2', true],
    ['^A[1-3]$', 'A2\n', false],
    ['^a[1-3]$', 'A2', false],
    ['a.c', 'a\nc', false],
    ['a[^b]c', 'a\nc', true],
    ['^(ab|cd){2}$', 'abcd', true],
    ['^\\d{3}-\\d{4}$', '555-1234', true],
    ['\\w+\\s\\w+', 'two words', true],
    ['^.$', '😀', true],
    ['é|ü', 'für', true],
    ['a^', 'a', false],
    ['', '', true],
    ['(a*b)*$', 'b', true],
    ['x{2,3}y', 'xxxxy', true],
    ['[\\]\\-]', '-', true],
  ])('matches %j with %j: %s', (regex, text, matched) => {
    expect(ask({ text: { regex } }, { text })).toBe(matched);
  });

  it.each([
    ['^ny$', 'NY'],
    ['[a-z]', '\u212a'],
    ['[^a]', 'b'],
    ['σ', 'ς'],
  ])('matches %j with %j if case is ignored', (regex, text) => {
    expect(ask({ text: { regex, options: 'i' } }, { text })).toBe(true);
  });

  it('distinguishes the dotless i from i, and excludes both cases from a negated class', () => {
    expect(ask({ text: { regex: 'i', options: 'i' } }, { text: 'ı' })).toBe(false);
    expect(ask({ text: { regex: '[^a]', options: 'i' } }, { text: 'A' })).toBe(false);
  });

  it('is fast for a pattern that would hang a backtracking engine', () => {
    // Backtracking takes two to the power of 99 steps and would never finish.
    expect(ask({ text: { regex: '^(a?){99}a{99}$' } }, { text: `${'a'.repeat(98)}b` })).toBe(false);
  });
});

it('orders texts by code point, as the databases do', () => {
  expect(ask({ text: { gt: '\uffee' } }, { text: '😀' })).toBe(true);
  expect(ask({ text: { lt: 'ab' } }, { text: 'a' })).toBe(true);
});
