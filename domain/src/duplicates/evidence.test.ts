import { describe, expect, it } from 'vitest';
import { duplicateDecisionSchema } from './duplicate.schema.ts';
import { evidenceOf, hasLeft, reasonsOf } from './evidence.ts';
import { isNameField } from './rules.ts';

const LOAN = {
  row: 2,
  assetId: 'LK-20544',
  obligor: 'San Jacinto Tacos',
  borrowerId: null,
  originalAmount: '27100',
  currency: 'USD',
  financedOn: '2024-12-15',
  ratePercent: '10.78',
  term: '48',
  termUnit: 'months',
  product: 'Food truck',
  state: null,
  status: 'performingAsset',
  balance: '20567.61',
  balanceCurrency: 'USD',
};

const verdict = (change: Partial<typeof LOAN>, label: string) => {
  const found = evidenceOf([LOAN, { ...LOAN, ...change }]).find((one) => one.label === label);
  return found ? [found.verdict, found.note] : null;
};

describe('the evidence of a pair', () => {
  it('names each fact that one of the tapes has', () => {
    expect(evidenceOf([LOAN, LOAN]).map(({ label, verdict: is }) => `${label} ${is}`)).toEqual([
      'Loan equal',
      'Obligor equal',
      'Original amount equal',
      'Financed on equal',
      'Rate equal',
      'Original term equal',
      'Product equal',
    ]);
    expect(verdict({ product: null as never }, 'Product')).toEqual(['one', null]);
    const amounts = evidenceOf([LOAN, LOAN]).find(({ label }) => label === 'Original amount');
    expect(amounts?.values).toEqual(['27,100.00 USD', '27,100.00 USD']);
  });

  it('says how near different values are', () => {
    expect(verdict({ obligor: 'SAN JACINTO TACOS, L.L.C.' }, 'Obligor')).toEqual(['near', 'normalized name']);
    expect(verdict({ obligor: 'San Jacinto Bakery' }, 'Obligor')).toEqual(['different', null]);
    expect(verdict({ originalAmount: '27200' }, 'Original amount')).toEqual(['near', '0.37 % apart']);
    expect(verdict({ originalAmount: '26964.5' }, 'Original amount')).toEqual(['near', '0.50 % apart']);
    expect(verdict({ originalAmount: '26964.4' }, 'Original amount')).toEqual(['different', null]);
    expect(verdict({ financedOn: '2024-12-16' }, 'Financed on')).toEqual(['near', '1 day apart']);
    expect(verdict({ financedOn: '2024-12-12' }, 'Financed on')).toEqual(['near', '3 days apart']);
    expect(verdict({ financedOn: '2024-12-19' }, 'Financed on')).toEqual(['different', null]);
    expect(verdict({ ratePercent: '10.79' }, 'Rate')).toEqual(['different', null]);
    expect(verdict({ termUnit: 'weeks' }, 'Original term')).toEqual(['different', null]);
    expect(verdict({ term: '4', termUnit: 'years' }, 'Original term')).toEqual(['equal', null]);
    expect(verdict({ term: '16', termUnit: 'quarters' }, 'Original term')).toEqual(['equal', null]);
    expect(verdict({ termUnit: null as never }, 'Original term')).toEqual(['different', null]);
    const ids = (one: string, other: string) =>
      evidenceOf([
        { ...LOAN, borrowerId: one },
        { ...LOAN, borrowerId: other },
      ]).find(({ label }) => label === 'Borrower id')?.verdict;
    expect([ids('TX-1', ' tx-1'), ids('TX-1', 'TX 1')]).toEqual(['near', 'different']);
  });
});

it('says what makes two loans a pair', () => {
  const reasons = (
    certainty: Parameters<typeof reasonsOf>[0],
    change: Partial<Record<keyof typeof LOAN, string | null>>,
  ) =>
    reasonsOf(
      certainty,
      evidenceOf([{ ...LOAN, borrowerId: 'B-1' }, { ...LOAN, borrowerId: 'B-1', ...change } as typeof LOAN]),
    );
  expect(reasons('likely', { originalAmount: '27200', financedOn: '2024-12-17' })).toEqual([
    'the same obligor',
    'amounts within 0.5%',
    'dates within 3 days',
    'the same rate and term',
  ]);
  expect(reasons('possible', { obligor: null, financedOn: null, ratePercent: '9' })).toEqual([
    'the same borrower id',
    'the same original amount',
    'the same term',
  ]);
  expect(reasons('certain', {})).toEqual(['the same id', 'the same original amount']);
});

it('says when a loan was last on a tape, if it has left', () => {
  const left = { ...LOAN, leftAfter: '2026-09-30' };
  expect(evidenceOf([left, LOAN]).at(-1)).toEqual({
    label: 'Last reported',
    values: ['30 Sep 2026', 'Latest tape'],
    verdict: 'different',
    note: 'no longer on two tapes',
  });
  expect([hasLeft([LOAN, left]), hasLeft([LOAN, { ...LOAN, leftAfter: null }])]).toEqual([true, false]);
});

it('finds the name of the obligor among the custom fields', () => {
  const names = ['customFields.borrowerName', 'Obligor name', 'Customer', 'customFields.merchant_name'];
  expect(names.filter(isNameField)).toEqual(names);
  expect(['customFields.dealer', 'Product name', 'named'].filter(isNameField)).toEqual([]);
});

it('asks for a reason where loans are related but allowed', () => {
  const decided = (decision: string, reason?: string) =>
    duplicateDecisionSchema.safeParse({ decision, reason }).success;
  expect([decided('Same'), decided('Different'), decided('Explained', 'Refinanced')]).toEqual([true, true, true]);
  expect([decided('Explained'), decided('Explained', ' '), decided('Open')]).toEqual([false, false, false]);
  expect([decided('Same', 'x'.repeat(1000)), decided('Same', 'x'.repeat(1001))]).toEqual([true, false]);
});
