import { describe, expect, it } from 'vitest';
import { isRefusal } from '../errors/refusal.ts';
import { assetCatalog, CUT_OFF_FIELD } from '../tapes/target-schema.ts';
import { atCutOff } from './at-cut-off.ts';
import { createCatalog } from './catalog.ts';
import { dateAtOffset, MAX_OFFSET, readOffset } from './cut-off.ts';
import { evaluateFilter } from './evaluate.ts';
import { fieldsOf } from './filter.ts';
import { parseFilter } from './parse.ts';
import { filterToJson } from './print.ts';
import { filterToSentence } from './sentence.ts';

const assets = assetCatalog([
  { path: 'grade', kind: 'text' },
  { path: 'limit', kind: 'number' },
]);
const documents = createCatalog([
  { path: 'start', label: 'Start', type: 'date' },
  { path: 'end', label: 'End', type: 'date' },
  { path: 'tags', label: 'Tags', type: 'text', isList: true },
  { path: 'name', label: 'Name', type: 'text' },
]);

const flagsOf = (filter: unknown, catalog = assets): Record<string, string> | undefined => {
  try {
    parseFilter(filter, catalog);
  } catch (error) {
    if (isRefusal(error)) return error.flags;
    throw error;
  }
  throw new Error('The filter was accepted');
};

describe('a condition that compares two fields', () => {
  const balances = { 'sums.outstandingSum': { gt: { $field: 'sums.sum' } } };
  const ask = (row: Record<string, unknown>, filter: unknown = balances) =>
    evaluateFilter(parseFilter(filter, assets), ({ path }) => row[path]);
  const row = (balance: string | null, original: string | null, currency: string | null = 'USD') => ({
    'sums.outstandingSum': balance,
    'sums.outstandingSum.currency': 'USD',
    'sums.sum': original,
    'sums.sum.currency': currency,
  });

  it('is read, printed and written as a sentence', () => {
    const filter = parseFilter({ outstandingSum: { $gt: { $field: 'targetData.sums.sum' } } }, assets);
    expect(filterToJson(filter)).toEqual(balances);
    expect(filterToSentence(filter)).toBe('Current balance is more than Original principal');
    expect(filterToSentence({ kind: 'not', filter })).toBe('Current balance is at most Original principal');
    expect(fieldsOf(filter).map(({ path }) => path)).toEqual(['sums.outstandingSum', 'sums.sum']);
  });

  it('means equal without an operator', () => {
    const filter = parseFilter({ maturityDate: { $field: 'nextPaymentDate' } }, assets);
    expect(filterToJson(filter)).toEqual({ 'dates.maturityDate': { eq: { $field: 'dates.nextPaymentDate' } } });
    expect(filterToSentence(filter)).toBe('Maturity date is Next payment date');
  });

  it('compares amounts exactly', () => {
    expect(ask(row('99999999999999.9999', '99999999999999.9998'))).toBe(true);
    expect(ask(row('100', '100.00'))).toBe(false);
  });

  it('is unknown if either side is missing', () => {
    expect([ask(row(null, '1')), ask(row('1', null)), ask(row('1', null), { $not: balances })]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('is unknown for amounts of different currencies, or of an unknown one', () => {
    expect([
      ask(row('2', '1', 'EUR')),
      ask(row('2', '1', null)),
      ask(row('2', '1', 'EUR'), { $not: balances }),
    ]).toEqual([null, null, null]);
  });

  it.each([
    [
      { currentLtv: { gt: { $field: 'sums.sum' } } },
      'filter.currentLtv.gt.$field',
      'must be a percentage as Current LTV is; Original principal is an amount of money',
    ],
    [
      { 'sums.sum': { gt: { $field: 'limit' } } },
      'filter.sums.sum.gt.$field',
      'must be an amount of money as Original principal is; Limit is a number',
    ],
    [
      { dateFinanced: { lt: { $field: 'grade' } } },
      'filter.dateFinanced.lt.$field',
      'could be creditScores.grade or customFields.grade; write the whole path',
    ],
    [
      { dateFinanced: { lt: { $field: 'closedOn' } } },
      'filter.dateFinanced.lt.$field',
      'is not a field that can be filtered by',
    ],
    [{ dateFinanced: { lt: { $field: 7 } } }, 'filter.dateFinanced.lt.$field', 'must be the path of a field, not 7'],
    [{ term: { lt: { $field: 'term' } } }, 'filter.term.lt.$field', 'compares Term with itself; choose another field'],
    [
      { sector: { like: { $field: 'product' } } },
      'filter.sector.like.$field',
      'cannot be used with like; use one of eq, neq, lt, lte, gt, gte',
    ],
    [
      { isDelinquent: { gt: { $field: 'isDelinquent' } } },
      'filter.isDelinquent.gt',
      'cannot be used with Is delinquent; use one of eq, neq, in, nin, exists',
    ],
    [{ sector: { eq: { $field: 'product', options: 'i' } } }, 'filter.sector.eq', 'must be text, not an object'],
  ])('refuses %j', (filter, path, reason) => {
    expect(flagsOf(filter)).toEqual({ [path]: reason });
  });

  it('refuses fields that hold lists', () => {
    const reason = 'cannot compare Tags, which is a list';
    expect(flagsOf({ name: { eq: { $field: 'tags' } } }, documents)).toEqual({ 'filter.name.eq.$field': reason });
    expect(flagsOf({ tags: { eq: { $field: 'name' } } }, documents)).toEqual({ 'filter.tags.eq.$field': reason });
  });
});

describe('a condition that compares a date with the cut-off date', () => {
  const late = { 'dates.lastPaymentDate': { lt: { $cutOff: '-90d' } } };

  it('is read, printed and written as a sentence', () => {
    const filter = parseFilter({ lastPaymentDate: { lt: { $cutOff: '-90d' } } }, assets);
    expect(filterToJson(filter)).toEqual(late);
    expect(filterToSentence(filter)).toBe('Last payment date is before 90 days before the cut-off date');
    expect(filterToSentence(parseFilter({ maturityDate: { lte: { $cutOff: '+01y' } } }, assets))).toBe(
      'Maturity date is on or before 1 year after the cut-off date',
    );
    expect(filterToSentence(parseFilter({ maturityDate: { gt: { $cutOff: '-0m' } } }, assets))).toBe(
      'Maturity date is after the cut-off date',
    );
  });

  it('counts from the cut-off date of each row', () => {
    const filter = parseFilter(late, assets);
    const ask = (paid: string | null, cutOffDate: string | null) =>
      evaluateFilter(filter, ({ path }) => (path === CUT_OFF_FIELD.path ? cutOffDate : paid));
    expect(ask('2026-08-01', '2026-10-31')).toBe(true);
    expect(ask('2026-08-02', '2026-10-31')).toBe(false);
    expect(ask('2026-08-02', '2026-11-30')).toBe(true);
    expect([ask(null, '2026-10-31'), ask('2026-08-02', null)]).toEqual([null, null]);
  });

  it('becomes a plain date where all rows have one cut-off date, and stays as written', () => {
    const filter = atCutOff(parseFilter({ $not: late }, assets), '2026-10-31');
    expect(filter).toMatchObject({ filter: { kind: 'compare', value: '2026-08-02' } });
    expect(filterToJson(filter)).toEqual({ $not: late });
    expect(filterToSentence(filter)).toBe(
      'Last payment date is on or after 90 days before the cut-off date (2 Aug 2026)',
    );
  });

  it('is not joined with a plain date to a range', () => {
    const filter = parseFilter({ maturityDate: { gte: { $cutOff: '0d' }, lte: '2030-01-01' } }, assets);
    expect(filterToSentence(atCutOff(filter, '2026-10-31'))).toBe(
      'Maturity date is on or after the cut-off date (31 Oct 2026) and Maturity date is on or before 1 Jan 2030',
    );
  });

  it.each([
    ['2026-10-31', '-90d', '2026-08-02'],
    ['2026-10-31', '-1m', '2026-09-30'],
    ['2026-10-30', '-1m', '2026-09-30'],
    ['2026-03-30', '-1m', '2026-02-28'],
    ['2026-02-28', '-1m', '2026-01-31'],
    ['2026-02-27', '-1m', '2026-01-27'],
    ['2024-02-29', '1y', '2025-02-28'],
    ['2025-02-28', '-1y', '2024-02-29'],
    ['2026-11-15', '14m', '2028-01-15'],
  ])('counts from %s by %s to %s', (cutOffDate, offset, date) => {
    const read = readOffset(offset);
    expect('offset' in read && dateAtOffset(cutOffDate, read.offset)).toBe(date);
  });

  const HOW_TO_WRITE = 'must be a distance from the cut-off date like "-90d", "-3m" or "1y"';
  it.each<[unknown, string | null]>([
    [`-${MAX_OFFSET.d}d`, null],
    [`${MAX_OFFSET.d + 1}d`, `is further from the cut-off date than ${MAX_OFFSET.d}d`],
    [`${MAX_OFFSET.m}m`, null],
    [`-${MAX_OFFSET.m + 1}m`, `is further from the cut-off date than ${MAX_OFFSET.m}m`],
    [`${MAX_OFFSET.y}y`, null],
    [`${MAX_OFFSET.y + 1}y`, `is further from the cut-off date than ${MAX_OFFSET.y}y`],
    ['', HOW_TO_WRITE],
    ['90', HOW_TO_WRITE],
    ['d', HOW_TO_WRITE],
    ['-90 d', HOW_TO_WRITE],
    ['1.5m', HOW_TO_WRITE],
    ['-3q', HOW_TO_WRITE],
    [90, HOW_TO_WRITE],
    [null, HOW_TO_WRITE],
  ])('reads the distance %j', (value, problem) => {
    const read = readOffset(value);
    expect('problem' in read ? read.problem : null).toBe(problem);
  });

  it('refuses what is no date, and rows without a cut-off date', () => {
    expect(flagsOf({ term: { lt: { $cutOff: '-90d' } } })).toEqual({
      'filter.term.lt.$cutOff': 'is a date, and Term is a number',
    });
    expect(flagsOf({ start: { lt: { $cutOff: '-90d' } } }, documents)).toEqual({
      'filter.start.lt.$cutOff': 'cannot be used here: only assets of a loan tape have a cut-off date',
    });
    expect(flagsOf({ maturityDate: { in: { $cutOff: '-90d' } } })).toEqual({
      'filter.maturityDate.in.$cutOff': 'cannot be used with in; use one of eq, neq, lt, lte, gt, gte',
    });
  });
});
