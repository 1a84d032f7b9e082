import { expect, it } from 'vitest';
import { transactionContractSchema } from '../facilities/contract.schema.ts';
import { type BorrowingBaseInputs, inputsText } from './inputs.ts';

const contract = transactionContractSchema.parse({
  cutOffDate: '2026-01-01',
  assetsETL: 'a'.repeat(24),
  advanceRate: { defaultRate: 80 },
});
const inputs: BorrowingBaseInputs = {
  generationId: 'b'.repeat(24),
  tape: { cutOffDate: '2026-10-31', mainCurrency: 'USD', exchangeRates: { EUR: '0.8', GBP: '0.5' } },
  contract,
  facility: { currency: 'USD', balances: null, commitments: [{ sum: '10', currency: 'USD' }] },
};

it('does not depend on the order of keys', () => {
  const { tape, contract: terms, ...rest } = inputs;
  const reordered = { contract: terms, tape: { ...tape, exchangeRates: { GBP: '0.5', EUR: '0.8' } }, ...rest };
  expect(inputsText(reordered)).toBe(inputsText(inputs));
});

it.each<[string, BorrowingBaseInputs]>([
  ['the generation', { ...inputs, generationId: 'c'.repeat(24) }],
  ['a rate', { ...inputs, tape: { ...inputs.tape, exchangeRates: { EUR: '0.8', GBP: '0.51' } } }],
  ['the contract', { ...inputs, contract: { ...contract, advanceRate: { ...contract.advanceRate, defaultRate: 81 } } }],
  ['the balance', { ...inputs, facility: { currency: 'USD', balances: [], commitments: [] } }],
])('differs with %s', (_, changed) => expect(inputsText(changed)).not.toBe(inputsText(inputs)));
