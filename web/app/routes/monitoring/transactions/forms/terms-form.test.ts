import { transactionTermsSchema } from '@tapeline/domain/facilities/terms.schema.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseForm } from '../../../../http/parse-form.ts';
import { namedValues } from '../creation/hidden-values.tsx';
import { noteForm } from './edit-forms.ts';
import { termLabelOf } from './labels.ts';
import { noteTermsForm, noteTermsOf, shownTerms, trancheTermsForm } from './terms-form.ts';

const usd = (sum: string) => ({ sum, currency: 'USD' });
const timeline = { contractSigning: '2026-01-15', maturity: '2029-01-15' };
const limits = {
  amountRange: { currency: 'USD', min: '0', max: '5' },
  frequency: { limit: 2, interval: 'Annualy' },
  dueDateLimit: { min: 2, max: 10 },
};
const whole = transactionTermsSchema.parse({
  commitments: [{ amount: usd('12500000.25'), additionalCurrencies: ['EUR', 'GBP'] }, { amount: usd('1') }],
  interest: {
    kind: 'variable',
    baseRate: 'SOFR',
    spread: -0.25,
    minimumInterest: 1,
    numberRange: { min: 2, max: 9 },
    pricingGrid: {
      tiers: [
        { from: 50, rate: -0.5 },
        { from: 75.5, rate: -1 },
      ],
    },
    defaultMargin: 2,
  },
  fees: [
    { rate: -1.5, title: 'Rebate', kind: 'Rebate', frequency: 'Quarterly', feeType: 'Undrawn Amount' },
    {
      rate: usd('2500.75'),
      title: 'Agency',
      kind: 'Agency',
      frequency: 'Annually',
      payee: { entity: 'a'.repeat(24) },
      dateRangeType: { start: 'custom', end: 'maturity' },
      dateRange: { start: '2026-01-15' },
    },
    { rate: 1, title: 'Legal', kind: 'Legal', frequency: 'Beginning', payee: { name: 'Harbour Agency' } },
    { rate: 2, title: 'Minimum usage', kind: 'Minimum usage', frequency: 'Monthly', minimumUsage: 60 },
    { rate: 2, title: 'Prepayment', kind: 'Prepayment', frequency: 'Ending', onPrepayment: true, months: { end: 12 } },
  ],
  defaultEvents: [
    { from: '2026-03-01', to: '2026-04-01', reason: 'Interest not paid' },
    { from: '2026-05-01', reason: 'Covenant breached' },
  ],
  warrants: [
    { holdingValue: usd('10'), acquisitionDate: '2026-02-01', actual: { kind: 'future', percentage: 2.5 } },
    { shareClass: 'Ordinary', actual: { kind: 'actual', actual: true } },
  ],
  timeline: { ...timeline, revolvingStart: '2026-01-15', revolvingEnd: '2028-01-15' },
  drawLimits: {
    draw: limits,
    prefunding: { ...limits, maxPercentage: 20, defaultAmount: usd('1'), maxAmount: usd('2') },
    recycling: { maxPercentage: 10, maxCollectionAccount: usd('3') },
  },
});

/** The value as a browser sends it. */
function submit<Schema extends z.ZodType>(terms: Schema, value: unknown) {
  const form = new FormData();
  for (const [name, text] of namedValues('terms', value)) form.append(name, text);
  return parseForm(form, z.object({ terms }));
}
const without = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, part) => (part === null ? undefined : part)));

test('Terms that were shown and sent unchanged are the stored terms', () => {
  const submission = submit(trancheTermsForm, shownTerms(whole));
  expect(submission.status === 'success' ? null : submission.error).toBeNull();
  const { terms } = submission.status === 'success' ? submission.value : { terms: null };
  expect(without(transactionTermsSchema.parse(terms))).toEqual(without(whole));
  const ofNote = submit(noteTermsForm, shownTerms(whole));
  expect(without(ofNote.status === 'success' && noteTermsOf(ofNote.value.terms))).toEqual(without(whole));
});

test('An empty form is a note without terms, and a tranche without what it must have', () => {
  const note = submit(noteTermsForm, {});
  expect(note.status === 'success' && noteTermsOf(note.value.terms)).toBeNull();
  const tranche = submit(trancheTermsForm, {});
  expect(tranche.status).toBe('error');
  expect(Object.keys(tranche.status === 'error' ? (tranche.error ?? {}) : {}).sort()).toEqual([
    'terms.commitments',
    'terms.timeline.contractSigning',
  ]);
});

test.each<[string, object, string]>([
  ['fees[0].title', { fees: [{ rate: { sum: '1' }, kind: 'A', frequency: 'Monthly' }] }, 'is required'],
  ['fees[0].frequency', { fees: [{ rate: { sum: '1' }, kind: 'A', title: 'A' }] }, 'is required'],
  [
    'fees[0].payee.name',
    {
      fees: [
        {
          rate: { sum: '1' },
          kind: 'A',
          title: 'A',
          frequency: 'Monthly',
          payee: { entity: 'a'.repeat(24), name: 'B' },
        },
      ],
    },
    'Choose an entity or enter a name, not both',
  ],
  [
    'fees[0].dateRange.start',
    {
      fees: [
        {
          rate: { sum: '1' },
          kind: 'A',
          title: 'A',
          frequency: 'Monthly',
          dateRangeType: { start: 'custom', end: 'maturity' },
        },
      ],
    },
    'is required',
  ],
  ['interest.spread', { interest: { kind: 'variable', baseRate: 'SOFR', minimumInterest: '1' } }, 'is required'],
  ['interest.value', { interest: { kind: 'fix', value: '-1' } }, 'must be at least 0'],
  [
    'interest.pricingGrid.tiers[1].from',
    {
      interest: {
        kind: 'fix',
        value: '9',
        pricingGrid: {
          tiers: [
            { from: '50', rate: '8' },
            { from: '50', rate: '7' },
          ],
        },
      },
    },
    'must be more than the tier before',
  ],
  [
    'defaultEvents[0].to',
    { defaultEvents: [{ from: '2026-03-01', to: '2026-03-01', reason: 'Late' }] },
    'must be after the first day',
  ],
  [
    'fees[0].feeType',
    {
      fees: [
        {
          rate: { sum: '1' },
          kind: 'A',
          title: 'A',
          frequency: 'Monthly',
          feeType: 'Drawn Amount',
          minimumUsage: '60',
        },
      ],
    },
    'must be empty for a minimum usage and for prepayments',
  ],
  [
    'interest.numberRange.min',
    {
      interest: {
        kind: 'variable',
        baseRate: 'SOFR',
        spread: '1',
        minimumInterest: '1',
        numberRange: { min: '2', max: '2' },
      },
    },
    'min should be less then max ',
  ],
  [
    'timeline.revolvingStart',
    { timeline: { ...timeline, revolvingStart: '2026-02-01', revolvingEnd: '2026-02-01' } },
    'Start date must be before end date',
  ],
  [
    'warrants[0].actual.percentage',
    { warrants: [{ actual: { kind: 'future', percentage: '100.1' } }] },
    'must be at most 100',
  ],
  ['warrants[0].actual.percentage', { warrants: [{ actual: { kind: 'future' } }] }, 'is required'],
  [
    'drawLimits.draw.amountRange.min',
    { drawLimits: { draw: { amountRange: { currency: 'USD', min: '5', max: '5' } } } },
    'min should be less then max ',
  ],
  [
    'drawLimits.draw.frequency.limit',
    { drawLimits: { draw: { frequency: { limit: '0', interval: 'Daily' } } } },
    'must be at least 1',
  ],
  [
    'drawLimits.prefunding.maxPercentage',
    { drawLimits: { prefunding: { maxPercentage: '100.1' } } },
    'must be at most 100',
  ],
  ['commitments[0].amount.sum', { commitments: [{ amount: usd('-0.01') }] }, 'A commitment cannot be negative'],
  [
    'commitments[0].additionalCurrencies',
    { commitments: [{ amount: usd('1'), additionalCurrencies: 'EUR, XYZ' }] },
    'XYZ is not a currency code, for example EUR',
  ],
])('The form shows what is wrong at %s', (name, more, message) => {
  const submission = submit(trancheTermsForm, { commitments: [{ amount: usd('1') }], timeline, ...more });
  expect(submission.status === 'error' ? submission.error : null).toEqual({ [`terms.${name}`]: [message] });
});

test('At most 50 fees fit in a form', () => {
  const fees = (count: number) =>
    submit(noteTermsForm, {
      fees: Array.from({ length: count }, () => ({ title: 'A', kind: 'A', rate: { sum: '1' }, frequency: 'Monthly' })),
    });
  expect(fees(50).status).toBe('success');
  const beyond = fees(51);
  expect(beyond.status === 'error' && beyond.error).toEqual({ 'terms.fees': ['Terms have at most 50 fees'] });
});

test.each<[object, object]>([
  [{ priority: { attachmentPoint: '99.9', detachmentPoint: '100' } }, {}],
  [
    { priority: { attachmentPoint: '99.95', detachmentPoint: '100' } },
    { 'terms.priority.attachmentPoint': ['The attachment point is between 0 and 99.9'] },
  ],
  [
    { priority: { attachmentPoint: '0', detachmentPoint: '0.05' } },
    { 'terms.priority.detachmentPoint': ['The detachment point is between 0.1 and 100'] },
  ],
  [
    { priority: { attachmentPoint: '50', detachmentPoint: '50' } },
    { 'terms.priority.attachmentPoint': ['Attachment Point should be less then Detachment Point'] },
  ],
  [{ priority: { attachmentPoint: '5' } }, { 'terms.priority.detachmentPoint': ['is required'] }],
  [{ holdings: [{ holding: 'A', targetPercentage: '100', actualPercentage: '0' }] }, {}],
  [
    { holdings: [{ holding: 'A', targetPercentage: '100.1', actualPercentage: '0' }] },
    { 'terms.holdings[0].targetPercentage': ['must be at most 100'] },
  ],
  [
    { holdings: [{ targetPercentage: '1', actualPercentage: '1' }] },
    { 'terms.holdings[0].holding': ['Choose a fund or another holder'] },
  ],
  [{ security: ['', 'First lien', ''] }, {}],
])('A note with %j has the errors %j', (more, errors) => {
  const submission = submit(noteForm, { title: 'Senior', ...more });
  expect(submission.status === 'error' ? submission.error : {}).toEqual(errors);
});

test('The summary of errors names lists by their place', () => {
  expect(termLabelOf('terms.fees[1].rate.sum')).toBe('Fee 2, Rate');
  expect(termLabelOf('terms.timeline.maturity')).toBe('Maturity');
  expect(termLabelOf('terms.drawLimits.prefunding.amountRange.min')).toBe('Prefunding, Minimum amount');
});
