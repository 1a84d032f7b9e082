import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { expect, test } from 'vitest';
import { facilityFieldOf, facilityOf, facilitySchema, firstContractSchema } from './facility-form.ts';

const filled = {
  title: 'Harbour warehouse',
  company: '0123456789abcdef01234567',
  loanType: 'Asset Backed Lending',
  industry: 'Consumer Lending',
  noteTitle: 'Senior',
  currency: 'USD',
  commitment: '45,000,000.50',
  contractSigning: '2026-01-15',
  maturity: '2029-01-15',
};

test('the form gives a transaction of one note with one active tranche of the whole commitment', () => {
  const transaction = transactionSchema.parse(facilityOf(facilitySchema.parse(filled)));
  expect(transaction.notes).toHaveLength(1);
  expect(transaction.notes[0]?.tranches).toMatchObject([
    { sequenceActivated: true, terms: { commitments: [{ amount: { sum: '45000000.5', currency: 'USD' } }] } },
  ]);
});

test('a comma is a thousands separator in groups of three, and an error anywhere else', () => {
  for (const commitment of ['1,5', '1,50,000', 'ten', '']) {
    expect(facilitySchema.safeParse({ ...filled, commitment }).success, commitment).toBe(false);
  }
});

const messagesOf = (result: { error?: { issues: { path: PropertyKey[]; message: string }[] } }) =>
  (result.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]);

test('a commitment is zero or more, as the transaction takes it', () => {
  for (const commitment of ['0', '0.01']) {
    expect(transactionSchema.safeParse(facilityOf(facilitySchema.parse({ ...filled, commitment }))).success).toBe(true);
  }
  expect(messagesOf(facilitySchema.safeParse({ ...filled, commitment: '-5' }))).toEqual([
    ['commitment', 'A commitment cannot be negative'],
  ]);
});

test('whatever the form takes, the transaction takes: texts are bounded and ids are ids', () => {
  for (const [field, value] of [
    ['title', 'x'.repeat(251)],
    ['industry', 'x'.repeat(251)],
    ['noteTitle', 'x'.repeat(251)],
    ['company', 'z'.repeat(24)],
  ] as const) {
    const result = facilitySchema.safeParse({ ...filled, [field]: value });
    expect(result.error?.issues.map(({ path }) => path[0])).toEqual([field]);
  }
});

test('an error of the document is shown at the field that it comes from', () => {
  const form = facilitySchema.parse(filled);
  const spoiled = facilityOf({ ...form, commitment: '-5', title: '', industry: '', noteTitle: '', maturity: 'soon' });
  const found = transactionSchema.safeParse(spoiled);
  expect(new Set(found.error?.issues.map(({ path }) => facilityFieldOf(path)))).toEqual(
    new Set(['title', 'industry', 'noteTitle', 'commitment', 'maturity']),
  );
});

test('an advance rate has at most 8 decimals', () => {
  const form = { note: filled.company, cutOffDate: '2026-10-31', assetsETL: filled.company };
  expect(firstContractSchema.safeParse({ ...form, defaultRate: 0.12345678 }).success).toBe(true);
  expect(messagesOf(firstContractSchema.safeParse({ ...form, defaultRate: 0.123456789 }))).toEqual([
    ['defaultRate', 'A rate has at most 8 decimals'],
  ]);
  expect(firstContractSchema.safeParse({ ...form, defaultRate: 100.1 }).success).toBe(false);
});
