import { expect, test } from 'vitest';
import { explain } from './explanation.ts';

const source = {
  key: 'funds/read',
  title: 'Funds read',
  allowed: true,
  inRole: true,
  blocked: false,
  granted: false,
  held: true,
};
const rows = { visible: true, withoutBlocks: true, withoutGrants: true };
const facts = { firstName: 'Amina', status: 'Active', type: 'manager', role: 'Analyst', source, rows } as const;
const against = (changes: object) =>
  explain({ ...facts, ...changes })
    .reasons.filter(({ speaks }) => speaks === 'against')
    .map(({ text }) => text);

test('a document opens if the user is Active, holds the permission and row-level security shows it', () => {
  expect(explain(facts)).toMatchObject({ opens: true, answer: 'Amina sees the document.' });
  expect(against({})).toEqual([]);
});

test.each([
  ['Account: Disabled', { status: 'Disabled' }],
  ['funds/read was removed for Amina.', { source: { ...source, blocked: true, held: false } }],
  ['The Analyst role does not include funds/read.', { source: { ...source, inRole: false, held: false } }],
  ['Amina has no role.', { role: null, source: { ...source, inRole: false, held: false } }],
  [
    'A user of the type Borrower can never hold funds/read.',
    { type: 'company', source: { ...source, allowed: false, held: false } },
  ],
  [
    'It, or what it belongs to, was blocked for Amina individually.',
    { rows: { ...rows, visible: false, withoutGrants: false } },
  ],
  [
    'Users of a manager see the documents of that manager. This document is not among them.',
    { rows: { visible: false, withoutBlocks: false, withoutGrants: false } },
  ],
])('it does not open: %s', (reason, changes) => {
  expect(explain({ ...facts, ...changes } as typeof facts).opens).toBe(false);
  expect(against(changes)).toEqual([reason]);
});

test('a hidden document answers 404 and a missing permission 403', () => {
  expect(explain({ ...facts, rows: { ...rows, visible: false } }).answer).toContain('404');
  expect(explain({ ...facts, source: { ...source, held: false } }).answer).toContain('403');
});
