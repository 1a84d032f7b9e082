import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { expect, test } from 'vitest';
import { facilityOf, facilitySchema } from './facility-form.ts';

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

test('a comma is a thousands separator in groups of three, and a fault anywhere else', () => {
  for (const commitment of ['1,5', '1,50,000', 'ten', '']) {
    expect(facilitySchema.safeParse({ ...filled, commitment }).success, commitment).toBe(false);
  }
});
