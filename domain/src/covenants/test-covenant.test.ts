import fc from 'fast-check';
import { expect, test } from 'vitest';
import { covenantCreateSchema } from './covenant.schema.ts';
import { calculate, readFigureFormula } from './covenant-formula.ts';
import { covenantState, type LatestResult } from './covenant-state.ts';
import { type SourcedFigure, testCovenant } from './test-covenant.ts';
import { latestTestDate, nextTestDate, periodsOf, testDatesUntil } from './test-dates.ts';

const ID = '65f0c2a1b3d4e5f601234567';
const body = {
  transaction: ID,
  note: ID,
  title: '60+ days past due',
  formula: '[60+ days] / [Pool] * 100',
  unit: 'percent',
  bound: 'atMost',
  steps: [{ from: '2026-01-31', limit: 5 }],
  frequency: 'monthly',
  firstTest: '2026-01-31',
  periods: 3,
};
const termsOf = (changes: object = {}) => covenantCreateSchema.parse({ ...body, ...changes });
const problems = (changes: object) => {
  const read = covenantCreateSchema.safeParse({ ...body, ...changes });
  return read.success ? [] : read.error.issues.map(({ path }) => path.join('.'));
};

/** Figures by their name and the month of the period. */
const figures =
  (known: Record<string, Record<string, string | [value: string, currency: string]>>) =>
  (name: string, { to }: { to: string }): SourcedFigure | null => {
    const found = known[name]?.[to.slice(0, 7)];
    if (found === undefined) return null;
    const [value, currency] = typeof found === 'string' ? [found, null] : found;
    return { value, currency, on: to, source: { resource: 'facilityFigures', id: ID } };
  };

const shares = (august: string, september: string | null, october: string) =>
  figures({
    '60+ days': { '2026-08': august, ...(september === null ? {} : { '2026-09': september }), '2026-10': october },
    Pool: { '2026-08': '100', '2026-09': '100', '2026-10': '100' },
  });

test('the average of three ratios is compared before it is rounded: 4.8, 5.4 and 5.1 are 0.10 above 5', () => {
  expect(testCovenant(termsOf(), '2026-10-31', shares('4.8', '5.4', '5.1'))).toMatchObject({
    outcome: 'breached',
    value: '5.1',
    limit: '5',
    headroom: '-0.1',
    periods: [
      { after: '2026-07-31', to: '2026-08-31', value: '4.8' },
      { after: '2026-08-31', to: '2026-09-30', value: '5.4' },
      { after: '2026-09-30', to: '2026-10-31', value: '5.1' },
    ],
  });
});

test('an unknown period makes the average unknown, and never met', () => {
  expect(testCovenant(termsOf(), '2026-10-31', shares('4.8', null, '5.1'))).toMatchObject({
    outcome: null,
    missing: '60+ days is not known, in the period to 2026-09-30',
    periods: [{ value: '4.8' }, { value: null }, { value: '5.1' }],
  });
});

test.each([
  ['5', 'met'],
  ['5.00000001', 'breached'],
])('a limit of at most 5 is kept by %s: %s', (value, outcome) => {
  expect(testCovenant(termsOf({ periods: 1 }), '2026-10-31', shares('0', '0', value)).outcome).toBe(outcome);
});

test('an excess that is too small to be written is an excess', () => {
  const terms = termsOf({ periods: 1, formula: '[A] / 3', steps: [{ from: '2026-01-31', limit: 0.33333333 }] });
  expect(testCovenant(terms, '2026-10-31', figures({ A: { '2026-10': '1' } }))).toMatchObject({ outcome: 'breached' });
});

test.each([
  ['atLeast', '20', { outcome: 'met', headroom: '1' }],
  ['atLeast', '21.5', { outcome: 'breached', headroom: '-0.5' }],
  ['atMost', '21.5', { outcome: 'warning', headroom: '0.5' }],
  ['atMost', '22', { outcome: 'met', headroom: '1' }],
])('a figure of 21 against %s %s', (bound, limit, found) => {
  const terms = termsOf({
    periods: 1,
    bound,
    formula: '[A]',
    warningDistance: 0.75,
    steps: [{ from: '2026-01-31', limit: Number(limit) }],
  });
  expect(testCovenant(terms, '2026-10-31', figures({ A: { '2026-10': '21' } }))).toMatchObject(found);
});

test('the step that holds on the test date counts', () => {
  const terms = termsOf({
    periods: 1,
    steps: [
      { from: '2026-01-31', limit: 5.5 },
      { from: '2026-10-31', limit: 5 },
    ],
  });
  const known = shares('0', '5.2', '5.2');
  expect(testCovenant(terms, '2026-09-30', known)).toMatchObject({ outcome: 'met', limit: '5.5' });
  expect(testCovenant(terms, '2026-10-31', known)).toMatchObject({ outcome: 'breached', limit: '5' });
});

test('a springing test applies only while its figure is beyond its bound', () => {
  const terms = termsOf({ periods: 1, springing: { formula: '[Drawn]', bound: 'atMost', limit: 40 } });
  const known = (drawn: string) =>
    figures({ '60+ days': { '2026-10': '9' }, Pool: { '2026-10': '100' }, Drawn: { '2026-10': drawn } });
  expect(testCovenant(terms, '2026-10-31', known('40'))).toMatchObject({ outcome: 'notApplicable', value: '40' });
  expect(testCovenant(terms, '2026-10-31', known('40.1'))).toMatchObject({ outcome: 'breached' });
  expect(testCovenant(terms, '2026-10-31', figures({})).outcome).toBe(null);
});

test('money is compared in its own currency, and never added across currencies', () => {
  const money = (formula: string, unit = 'money') =>
    testCovenant(
      termsOf({ periods: 1, formula, unit, ...(unit === 'money' && { currency: 'EUR' }), bound: 'atLeast' }),
      '2026-10-31',
      figures({ A: { '2026-10': ['30', 'EUR'] }, B: { '2026-10': ['10', 'USD'] }, C: { '2026-10': ['10', 'EUR'] } }),
    );
  expect(money('[A] - [C]')).toMatchObject({ outcome: 'met', value: '20' });
  expect(money('[A] - [B]')).toMatchObject({ missing: 'The figures are in different currencies' });
  expect(money('[A] * [C]')).toMatchObject({ missing: 'Two amounts of money are multiplied' });
  expect(money('[B]')).toMatchObject({ missing: 'The formula gives no amount in EUR' });
  expect(money('[A] / [C]', 'times')).toMatchObject({ outcome: 'breached', value: '3' });
  expect(money('[A]', 'percent')).toMatchObject({ missing: 'The formula gives an amount of money' });
});

test('formulas are exact, and what is divided by zero is unknown', () => {
  const value = (formula: string) => calculate(formula, (name) => ({ value: name, currency: null }));
  expect(value('[1] / [3] * 3')).toMatchObject({ value: { numerator: 1n, denominator: 1n } });
  expect(value('min([2], [1]) - max([2], [1])')).toMatchObject({ value: { numerator: -1n } });
  expect(value('[1] / ([2] - [2])')).toEqual({ missing: 'A figure is divided by zero' });
  expect(value('round([2.5], 0) + abs(-[0.5])')).toMatchObject({ value: { numerator: 5n, denominator: 2n } });
});

test.each([
  ['[A] / [B', 'The formula'],
  ['1 + 2', 'names no figure'],
  ['[A] - cutOff in days', 'no dates or rows'],
  ['value * 2', 'no dates or rows'],
])('the formula %s is refused', (formula, problem) => {
  expect(readFigureFormula(formula)).toMatchObject({ problem: expect.stringContaining(problem) });
});

test.each([
  ['title', { title: 'xx' }, { title: 'x' }],
  ['periods', { periods: 24 }, { periods: 25 }],
  ['cureDays', { cureDays: 365 }, { cureDays: 366 }],
  ['daysToReport', { daysToReport: 0 }, { daysToReport: -1 }],
  ['firstTest', { firstTest: '2026-02-28' }, { firstTest: '2026-02-27' }],
  ['currency', { unit: 'money', currency: 'USD' }, { unit: 'money' }],
  ['currency', { unit: 'percent' }, { unit: 'percent', currency: 'USD' }],
  ['defaultRate', { consequence: 'defaultRate', defaultRate: 70 }, { consequence: 'defaultRate' }],
  ['defaultRate', { consequence: 'drawStop' }, { consequence: 'drawStop', defaultRate: 70 }],
  ['steps.0.from', { steps: [{ from: '2026-01-31', limit: 5 }] }, { steps: [{ from: '2026-02-01', limit: 5 }] }],
  ['warningDistance', { warningDistance: 0 }, { warningDistance: -0.1 }],
  [
    'steps.0.limit',
    { steps: [{ from: '2026-01-01', limit: 999_999_999_999_999 }] },
    { steps: [{ from: '2026-01-01', limit: 1e15 }] },
  ],
  [
    'steps.1.from',
    {
      steps: [
        { from: '2026-01-01', limit: 5 },
        { from: '2026-01-02', limit: 4 },
      ],
    },
    {
      steps: [
        { from: '2026-01-01', limit: 5 },
        { from: '2026-01-01', limit: 4 },
      ],
    },
  ],
])('a covenant has its limits: %s', (path, within, beyond) => {
  expect(problems(within)).toEqual([]);
  expect(problems(beyond)).toEqual([path]);
});

test('test dates are ends of months', () => {
  const quarterly = { firstTest: '2025-11-30', frequency: 'quarterly' } as const;
  expect(latestTestDate(quarterly, '2025-11-29')).toBe(null);
  expect(latestTestDate(quarterly, '2026-02-27')).toBe('2025-11-30');
  expect(latestTestDate(quarterly, '2026-02-28')).toBe('2026-02-28');
  expect(nextTestDate(quarterly, '2026-02-28')).toBe('2026-05-31');
  expect(testDatesUntil(quarterly, '2026-12-31', 2)).toEqual(['2026-08-31', '2026-11-30']);
  expect(periodsOf({ ...quarterly, periods: 2 }, '2026-02-28')).toEqual([
    { after: '2025-08-31', to: '2025-11-30' },
    { after: '2025-11-30', to: '2026-02-28' },
  ]);
});

test('the periods of a test follow each other without a gap, and end on its date', () => {
  const frequency = fc.constantFrom('monthly', 'quarterly', 'halfYearly', 'yearly' as const);
  fc.assert(
    fc.property(
      frequency,
      fc.integer({ min: 1, max: 24 }),
      fc.integer({ min: 0, max: 2000 }),
      (often, periods, days) => {
        const terms = { firstTest: '2024-02-29', frequency: often as 'monthly', periods };
        const day = new Date(Date.UTC(2024, 1, 29 + days)).toISOString().slice(0, 10);
        const date = latestTestDate(terms, day)!;
        const covered = periodsOf(terms, date);
        expect(covered.at(-1)?.to).toBe(date);
        expect(covered.slice(1).map(({ after }) => after)).toEqual(covered.slice(0, -1).map(({ to }) => to));
        expect(date <= day && nextTestDate(terms, day) > day).toBe(true);
      },
    ),
  );
});

const terms = { firstTest: '2026-01-31', frequency: 'monthly', daysToReport: 15 } as const;
const result = (changes: Partial<LatestResult> = {}): LatestResult => ({
  testDate: '2026-10-31',
  outcome: 'breached',
  cureUntil: '2026-11-24',
  curedOn: null,
  waivedUntil: null,
  ...changes,
});

test.each<[string, LatestResult | null, string, string]>([
  ['nothing was due yet', null, '2026-02-15', 'notTested'],
  ['its figures are late', null, '2026-02-16', 'unknown'],
  ['it is met', result({ outcome: 'met' }), '2026-12-15', 'met'],
  ['the next figures are late', result({ outcome: 'met' }), '2026-12-16', 'unknown'],
  ['it is breached', result(), '2026-11-20', 'breached'],
  ['a breach stays while the next figures are late', result(), '2027-01-31', 'breached'],
  ['it is waived until a day', result({ waivedUntil: '2026-12-30' }), '2026-12-30', 'waived'],
  ['the waiver has ended', result({ waivedUntil: '2026-12-30' }), '2026-12-31', 'breached'],
  ['it is cured', result({ curedOn: '2026-11-20' }), '2026-11-20', 'cured'],
  ['it does not apply', result({ outcome: 'notApplicable' }), '2026-11-20', 'notApplicable'],
])('%s', (_, latest, today, state) => {
  expect(covenantState(terms, latest, today)).toBe(state);
});
