import { expect, it } from 'vitest';
import { stringifyWire } from '../wire/json.ts';
import { differencesOf } from './differences.ts';
import { wireDifference } from './wire-fields.ts';

const ID = '65f0c2a1b3d4e5f601234567';
const wire = (resource: string, field: string, old: unknown, now: unknown) =>
  Array.from(differencesOf([{ field, old, new: now }]), (difference) =>
    JSON.parse(stringifyWire(wireDifference(resource, difference))),
  );

it('fields have the names of the calls', () => {
  expect(wire('funds', 'gpIds', [], [ID])).toEqual([{ field: 'GPs[0]', old: null, new: ID }]);
  expect(wire('contributions', 'fundId', null, ID)).toEqual([{ field: 'fund', old: null, new: ID }]);
  expect(wire('announcements', 'fileIds', [], [ID])).toEqual([{ field: 'files[0]', old: null, new: ID }]);
  expect(wire('companies', 'entityIds', [], [ID])).toEqual([{ field: 'entities[0]', old: null, new: ID }]);
  expect(wire('entities', 'banks', [{ title: 'A' }], [{ title: 'B' }]).length).toBeGreaterThan(0);
});

it('whom a document belongs to is its association', () => {
  expect(wire('funds', 'managerId', null, ID)).toEqual([{ field: 'assoc', old: null, new: { manager: { id: ID } } }]);
  expect(wire('users', 'companyId', ID, null)).toEqual([{ field: 'assoc', old: { company: { id: ID } }, new: null }]);
  expect(wire('transactions', 'companyId', null, ID)).toEqual([{ field: 'company', old: null, new: ID }]);
});

it('amounts are numbers with all their digits, wherever they are, and codes stay texts', () => {
  expect(
    stringifyWire(
      wireDifference('funds', { steps: [{ kind: 'field', name: 'hardCap' }], old: null, new: '12345678901234567.89' }),
    ),
  ).toContain('"new":12345678901234567.89');
  expect(wire('contributions', 'purposes', [], [{ title: '7', kind: 'other', amount: '5.50' }])).toEqual([
    { field: 'callPurposes[0]', old: null, new: { title: '7', kind: 'other', amount: 5.5 } },
  ]);
  expect(wire('contributions', 'callNumber', '7', '8')).toEqual([{ field: 'callNumber', old: '7', new: '8' }]);
});
