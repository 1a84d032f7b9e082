import { expect, test } from 'vitest';
import { associationSchema, byStatusGroup, GENERAL_STATUSES, statusGroupOf } from './document.schema.ts';
import { idSchema } from './id.schema.ts';

const ID = '65f0c2a1b3d4e5f601234567';

test('statuses are offered by their group: what counts, what does not, what is neither', () => {
  expect(byStatusGroup(GENERAL_STATUSES)).toEqual([
    ...['Active', 'Success', 'NonActive', 'Completed', 'Closed'],
    ...['Pending', 'Upcoming', 'Disabled', 'Removed', 'Draft'],
    'Processing',
  ]);
  expect(['Closed', 'Upcoming', 'Several'].map(statusGroupOf)).toEqual(['positive', 'negative', null]);
});

test('an association has exactly one key, with an id if it refers to a document', () => {
  for (const assoc of [{ admin: true }, { manager: { id: ID, title: 'Harbour' } }, { fundGroup: { id: ID } }])
    expect(associationSchema.safeParse(assoc).success).toBe(true);
  for (const assoc of [
    {},
    { admin: false },
    { manager: { id: ID }, company: { id: ID } },
    { LP: {} },
    { LP: { id: 'x' } },
    { other: { id: ID } },
  ])
    expect(associationSchema.safeParse(assoc).success, JSON.stringify(assoc)).toBe(false);
});

test('an id has exactly 24 hex digits and is kept in lower case', () => {
  expect(idSchema.parse(ID.toUpperCase())).toBe(ID);
  for (const id of [ID.slice(1), `${ID}0`, `${ID.slice(1)}g`]) expect(idSchema.safeParse(id).success).toBe(false);
});
