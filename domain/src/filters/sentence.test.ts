import { expect, it } from 'vitest';
import { createCatalog, type Field } from './catalog.ts';
import { parseFilter } from './parse.ts';
import { filterToPhrases, filterToSentence } from './sentence.ts';

const catalog = createCatalog([
  { path: 'address.state', label: 'State', type: 'text' },
  { path: 'grade', label: 'Grade', type: 'text' },
  { path: 'fico', label: 'FICO', type: 'number' },
  { path: 'rate', label: 'Interest rate', type: 'decimal', unit: '%' },
  { path: 'term', label: 'Term', type: 'number', unit: 'months' },
  { path: 'sum', label: 'Outstanding', type: 'decimal', unit: 'USD' },
  { path: 'isDelinquent', label: 'Delinquent', type: 'boolean' },
  { path: 'dateFinanced', label: 'Origination date', type: 'date' },
  { path: 'updatedAt', label: 'Updated', type: 'instant' },
]);

it.each([
  [{ state: { in: ['CA', 'NY'] }, fico: { gte: 600 } }, 'State is CA or NY and FICO is at least 600'],
  [{ rate: { gte: 5, lte: 30 } }, 'Interest rate is between 5% and 30%'],
  [
    { rate: { lte: 30 }, grade: 'A', $and: [{ rate: { gte: 5 } }] },
    'Interest rate is between 5% and 30% and Grade is A',
  ],
  [{ rate: { gte: 30, lte: 5 } }, 'Interest rate is at least 30% and Interest rate is at most 5%'],
  [{ $not: { rate: { gte: 5, lte: 30 } } }, 'Interest rate is not between 5% and 30%'],
  [{ dateFinanced: { gte: '2026-01-01' } }, 'Origination date is on or after 1 Jan 2026'],
  [{ dateFinanced: { lt: '2026-10-31' } }, 'Origination date is before 31 Oct 2026'],
  [
    { dateFinanced: { gte: '2026-01-01', lte: '2026-10-31' } },
    'Origination date is between 1 Jan 2026 and 31 Oct 2026',
  ],
  [{ updatedAt: { gt: '2026-10-31T09:30:00Z' } }, 'Updated is after 31 Oct 2026 09:30 UTC'],
  [{ sum: { gt: 1250000.5 } }, 'Outstanding is more than 1,250,000.5 USD'],
  [{ sum: { lt: -12500 } }, 'Outstanding is less than -12,500 USD'],
  [{ term: 1 }, 'Term is 1 month'],
  [{ term: { neq: 2018 } }, 'Term is not 2018 months'],
  [{ isDelinquent: false }, 'Delinquent is no'],
  [{ grade: { nin: ['A', 'B'] } }, 'Grade is neither A nor B'],
  [{ grade: { nin: ['A', 'B', 'C'] } }, 'Grade is none of A, B or C'],
  [{ grade: { in: [] } }, 'Grade is one of no values'],
  [{ grade: '' }, 'Grade is “”'],
  [{ grade: 'A and B' }, 'Grade is “A and B”'],
  [{ grade: { exists: true } }, 'Grade is known'],
  [{ $not: { grade: { exists: true } } }, 'Grade is missing'],
  [{ $not: { fico: { gte: 600 } } }, 'FICO is less than 600'],
  [{ $not: { $not: { fico: 600 } } }, 'FICO is 600'],
  [{ grade: { like: 'sub' } }, 'Grade contains sub'],
  [{ grade: { like: 'A%' } }, 'Grade starts with A'],
  [{ grade: { like: '%A' } }, 'Grade ends with A'],
  [{ grade: { like: 'A_B%' } }, 'Grade is like A_B%'],
  [{ $not: { grade: { like: '50\\%' } } }, 'Grade does not contain 50%'],
  [{ grade: { regex: '^A[1-3]$', options: 'i' } }, 'Grade matches the pattern ^A[1-3]$ in any case'],
  [{ $or: [{ grade: 'A', fico: 600 }, { grade: 'B' }] }, '(Grade is A and FICO is 600) or Grade is B'],
  [{ grade: 'A', $nor: [{ fico: 1 }, { fico: 2 }] }, 'Grade is A and not (FICO is 1 or FICO is 2)'],
  [{ $nor: [{ fico: 1 }, { fico: 2 }] }, 'Not (FICO is 1 or FICO is 2)'],
  [{}, 'Everything'],
  [{ $not: {} }, 'Nothing'],
])('reads %j', (filter, sentence) => {
  expect(filterToSentence(parseFilter(filter, catalog))).toBe(sentence);
});

it('writes codes of a fixed list as words, and keeps typed text unchanged', () => {
  const status: Field = { path: 'status', label: 'Status', type: 'text', values: ['current', 'pastDue', 'USD'] };
  const codes = createCatalog([status, { path: 'note', label: 'Note', type: 'text' }]);
  expect(filterToSentence(parseFilter({ status: { in: ['current', 'pastDue', 'USD'] } }, codes))).toBe(
    'Status is current, past due or USD',
  );
  expect(filterToSentence(parseFilter({ note: 'pastDue' }, codes))).toBe('Note is pastDue');
});
it('lists only the first of many values', () => {
  const filter = parseFilter({ fico: { in: Array.from({ length: 500 }, (_, index) => index) } }, catalog);
  expect(filterToSentence(filter)).toBe('FICO is 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 or 488 more');
});

it('distinguishes fields, words and values', () => {
  expect(filterToPhrases(parseFilter({ fico: { gte: 600 } }, catalog))).toEqual([
    { text: 'FICO', kind: 'field' },
    { text: ' ', kind: 'word' },
    { text: 'is at least ', kind: 'word' },
    { text: '600', kind: 'value' },
  ]);
});
