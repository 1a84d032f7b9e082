import { expect, test } from 'vitest';
import { parseForm } from '../../http/parse-form.ts';
import { NOTHING_RECEIVED, newPartySchema, partyLabel } from './entity-form.ts';

test('a field of a list has the label of its input, after the entry that it is in', () => {
  expect(partyLabel('entity.banks[1].title')).toBe('Bank account 2, Account title');
  expect(partyLabel('entity.banks[0].IBAN')).toBe('Bank account 1, IBAN');
  expect(partyLabel('entity.contacts[0].name')).toBe('Contact 1, Contact name');
  expect(partyLabel('entity.headQuarters[2].address')).toBe('Head office 3, Street');
  expect(partyLabel('entity.banks[0]')).toBe('Bank account 1');
  expect(partyLabel('entity.name')).toBe('Name');
});

test('a contact whose boxes are all cleared receives nothing, and one that was never asked has no list', () => {
  const receives = (...sent: string[]) => {
    const form = new URLSearchParams({
      'entity.name': 'Northwind',
      'entity.formalId': '47-3382916',
      'entity.nationality.country': 'US',
      'entity.contacts[0].name': 'Bea',
    });
    for (const kind of sent) form.append('entity.contacts[0].receives', kind);
    const read = parseForm(form, newPartySchema);
    return read.status === 'success' ? read.value.entity?.contacts[0]?.receives : read.reply().error;
  };
  expect(receives()).toBeUndefined();
  expect(receives(NOTHING_RECEIVED)).toEqual([]);
  expect(receives(NOTHING_RECEIVED, 'calls', 'tax')).toEqual(['calls', 'tax']);
  expect(receives(NOTHING_RECEIVED, 'everything')).toEqual({
    'entity.contacts[0].receives[1]': [expect.stringContaining('must be one of')],
  });
});
