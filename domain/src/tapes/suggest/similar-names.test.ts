import { expect, test } from 'vitest';
import type { SampleCell } from './column-summary.ts';
import { suggestMapping } from './suggest-mapping.ts';

const number = (value: number): SampleCell => ({ tag: 1, value: String(value) });
const text = (value: string): SampleCell => ({ tag: 2, value });
const day = (value: string): SampleCell => ({ tag: 4, value });
const ROWS = 24;
const rows = <T>(values: readonly T[], cell: (value: T) => SampleCell): SampleCell[] =>
  Array.from({ length: ROWS }, (_, index) => cell(values[index % values.length]!));

const COMMON = {
  'Loan Id': Array.from({ length: ROWS }, (_, index) => text(`N-${index + 1}`)),
  Balance: rows([1000.5, 2000, 3000], number),
};

/** The suggestions for these columns of a tape, by field: the steps of those that are on, null for one that is off. */
function suggested(columns: Record<string, SampleCell[]>) {
  const input = Object.entries({ ...COMMON, ...columns }).map(([header, cells]) => ({ header, cells }));
  return Object.fromEntries(
    suggestMapping({ columns: input }).flatMap(({ rule, isOn }) =>
      rule.originCol !== null && rule.originCol !== undefined && rule.originCol in columns
        ? [[rule.targetCol, isOn ? rule.serializations : null]]
        : [],
    ),
  );
}

test('a term in days is no number of days past due', () => {
  expect(suggested({ TENORDAYS: rows([30, 90, 360], number) })).toEqual({
    term: [{ type: 'SerializedTerm', unit: 'days' }],
  });
  expect(suggested({ 'Days Past Due': rows([0, 0, 45], number) })).toEqual({ daysPastDue: [{ type: 'number' }] });
});

test('days of which none are 0 are days past due only if the header says so', () => {
  const late = rows([30, 60, 90], number);
  expect(suggested({ 'Credit Days': late }).daysPastDue ?? null).toBeNull();
  // A pool of delinquent loans.
  expect(suggested({ 'Days Past Due': late })).toEqual({ daysPastDue: [{ type: 'number' }] });
});

test('a combined loan-to-value is not the current one', () => {
  const found = suggested({ LTV: rows([60, 70, 80], number), CLTV: rows([75, 70, 95], number) });
  expect(Object.keys(found)).toEqual(['originalLtv']);
  expect(Object.keys(suggested({ 'Current LTV': rows([58.5, 70], number) }))).toEqual(['currentLtv']);
});

test('NA is Namibia among codes of countries, and a missing value among names', () => {
  expect(suggested({ Country: rows(['NA', 'KE', 'NG'], text) })).toEqual({ 'address.country': [{ type: 'text' }] });
  expect(suggested({ Country: rows(['NA', 'Kenya', 'Nigeria'], text) })).toEqual({
    'address.country': [{ type: 'omit', values: ['NA'] }, { type: 'text' }],
  });
});

test('payments are what is to be paid, unless the header names principal', () => {
  expect(Object.keys(suggested({ Payments: rows([100.25, 90], number) }))).toEqual(['sums.scheduledPayment']);
  expect(Object.keys(suggested({ 'Principal Payments': rows([100.25, 90], number) }))).toEqual(['sums.paidPrincipal']);
});

test('letters of a list of the tape’s own have no meaning until a person gives them one', () => {
  expect(suggested({ Status: rows(['A', 'C', 'D'], text) })).toEqual({ assetStatus: null });
  expect(suggested({ Status: rows(['Terminated', 'Suspended'], text) })).toEqual({ assetStatus: null });
  const known = suggested({ Status: rows(['Current', 'Terminated', 'Paid'], text) }).assetStatus;
  expect(JSON.stringify(known)).not.toContain('Terminated');
});

test.each([
  ['Date Approved', 'dateFinanced', '2025-01-06'],
  ['Signed', 'dateFinanced', '2025-01-06'],
  ['Ends', 'dates.maturityDate', '2031-05-15'],
  ['Expiry Date', 'dates.maturityDate', '2031-05-15'],
])('“%s” is %s', (header, path, value) => {
  expect(Object.keys(suggested({ [header]: rows([value], day) }))).toEqual([path]);
});

test('the interest rate of a German tape is read', () => {
  expect(Object.keys(suggested({ Zins: rows(['5,25%', '4,1%'], text) }))).toEqual(['interestRate']);
});

test('six digits are a date where the header says so and nearly all can be one', () => {
  const short = rows([250107, 250331, 251231], number);
  const found = suggested({ 'Loan Date': short });
  expect(found.dateFinanced).toEqual([{ type: 'date', format: 'ISO', order: 'yearFirst', firstYear: 1970 }]);
  expect(suggested({ 'Loan Date': rows([250107, 259999, 251231], number) }).dateFinanced ?? null).toBeNull();
  expect(Object.keys(suggested({ 'Loan Amount': short }))).toEqual(['sums.sum']);
});
