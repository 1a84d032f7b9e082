import { expect, test } from 'vitest';
import type { UserActor } from '../people/actor.ts';
import { visibleCalculations } from './visible-calculations.ts';

const entries = [
  { transactionId: 't1', contractId: 'c1', borrowingBaseId: 'b1' },
  { transactionId: 't2', contractId: null, borrowingBaseId: null },
];
const actor = (...blockedDocuments: string[]) => ({ kind: 'user', blockedDocuments }) as unknown as UserActor;

test('the calculations of a blocked facility, contract or borrowing base are left out, and no others', () => {
  expect(visibleCalculations(actor(), entries)).toEqual(entries);
  expect(visibleCalculations({ kind: 'system', name: 'Tapeline' }, entries)).toEqual(entries);
  for (const owner of ['transactions/t1', 'contracts/c1', 'borrowingBases/b1'])
    expect(visibleCalculations(actor(owner), entries)).toEqual([entries[1]]);
  expect(visibleCalculations(actor('transactions/t2'), entries)).toEqual([entries[0]]);
  expect(visibleCalculations(actor('contracts/t1', 'borrowingBases/null0'), entries)).toEqual(entries);
});
