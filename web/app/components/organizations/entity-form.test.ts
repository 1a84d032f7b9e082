import { expect, test } from 'vitest';
import { partyLabel } from './entity-form.ts';

test('a field of a list has the label of its input, after the entry that it is in', () => {
  expect(partyLabel('entity.banks[1].title')).toBe('Bank account 2, Account title');
  expect(partyLabel('entity.banks[0].IBAN')).toBe('Bank account 1, IBAN');
  expect(partyLabel('entity.contacts[0].name')).toBe('Contact 1, Contact name');
  expect(partyLabel('entity.headQuarters[2].address')).toBe('Head office 3, Street');
  expect(partyLabel('entity.banks[0]')).toBe('Bank account 1');
  expect(partyLabel('entity.name')).toBe('Name');
});
