import { expect, it } from 'vitest';
import { fieldInSentence, fieldLabel } from './field-labels.ts';

it.each([
  ['hardCap', 'Hard cap'],
  ['netBB', 'Net borrowing base'],
  ['IBAN', 'IBAN'],
  ['company', 'Borrower'],
  ['transaction', 'Facility'],
  ['headQuarters', 'Head quarters'],
  ['targetSizeUSD', 'Target size USD'],
  ['constructor', 'Constructor'],
])('the label of %s is %s', (name, label) => {
  expect(fieldLabel(name)).toBe(label);
});

it('a label within a sentence begins in lower case, unless it is an abbreviation', () => {
  expect(['hardCap', 'IBAN'].map(fieldInSentence)).toEqual(['hard cap', 'IBAN']);
});
