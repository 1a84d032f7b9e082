import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { documentAccess, documentOf, MAX_RESOURCES } from './access.ts';
import { permissionCreateSchema } from './permission.schema.ts';
import { roleCreateSchema } from './role.schema.ts';
import { USER_TRANSITIONS } from './states.ts';
import { MAX_LPS, userCreateSchema, userUpdateSchema } from './user.schema.ts';

const ID = '65f0c2a1b3d4e5f601234567';
const ids = (count: number) => Array.from({ length: count }, (_, n) => String(n).padStart(24, '0'));
const x = (length: number) => 'x'.repeat(length);
const user = {
  firstName: 'Amina',
  lastName: 'Farouk',
  email: 'amina@harbour.test',
  type: 'LP',
  assoc: { LP: { id: ID } },
};
const role = { title: 'Analyst', level: 10, permissions: ['funds/read'] };
const permission = { title: 'Reports read', key: 'reports/read', allowed: ['manager'] };

const problems = (schema: z.ZodType, value: unknown): string[] => {
  const result = schema.safeParse(value);
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

describe('a user enforces its limits', () => {
  test.each([
    ['firstName: At least 2 characters', { firstName: 'Bo' }, { firstName: 'B' }],
    ['firstName: At most 30 characters', { firstName: x(30) }, { firstName: x(31) }],
    ['lastName: At least 2 characters', { lastName: 'Li' }, { lastName: 'L ' }],
    ['lastName: At most 30 characters', { lastName: x(30) }, { lastName: x(31) }],
    ['phoneNumber: Invalid phone number', { phoneNumber: '1234567890123456' }, { phoneNumber: '12345678901234567' }],
    ['phoneNumber: Invalid phone number', { phoneNumber: null }, { phoneNumber: '+442079460000' }],
    ['phoneNumber: Invalid phone number', { phoneNumber: '1' }, { phoneNumber: '' }],
    ['email: Enter an email address, for example ann@example.com', { email: 'A@b.co' }, { email: 'a@b' }],
    [
      'recoveryEmail: Enter an email address, for example ann@example.com',
      { recoveryEmail: null },
      { recoveryEmail: 'a' },
    ],
    ['LPs: must have 1 to 100 LPs', { LPs: ids(1) }, { LPs: [] }],
    ['LPs: must have 1 to 100 LPs', { LPs: ids(MAX_LPS) }, { LPs: ids(MAX_LPS + 1) }],
    ['role: Ids are exactly 24 characters', { role: ID }, { role: ID.slice(1) }],
    [
      'exclusiveResources: At most 200 entries',
      { exclusiveResources: ids(MAX_RESOURCES).map((id) => `funds/${id}`) },
      { exclusiveResources: ids(MAX_RESOURCES + 1).map((id) => `funds/${id}`) },
    ],
    [
      'assoc: must have the key of the type: admin, manager, company, LP or LPGroup',
      { type: 'LPGroup', assoc: { LPGroup: { id: ID } } },
      { type: 'manager' },
    ],
    [
      'assoc: must have exactly one of admin, manager, company, LP, LPGroup and fundGroup',
      { assoc: { LP: { id: ID, title: 'Calder' } } },
      { assoc: { LP: { id: ID }, admin: true } },
    ],
  ])('%s', (problem, within, beyond) => {
    expect(problems(userCreateSchema, { ...user, ...within })).toEqual([]);
    expect(problems(userCreateSchema, { ...user, ...beyond })).toEqual([problem]);
  });

  test('an update has only the fields that change, and the version', () => {
    expect(problems(userUpdateSchema, { version: 1, status: 'Disabled' })).toEqual([]);
    expect(problems(userUpdateSchema, { status: 'Disabled' })).toEqual(['version: is required']);
    expect(problems(userUpdateSchema, { version: 1, LPs: [] })).toEqual(['LPs: must have 1 to 100 LPs']);
    expect(problems(userUpdateSchema, { version: 1, status: 'Draft' })).toHaveLength(1);
  });

  test('an entry is a permission key or a document', () => {
    const entries = (exclusiveResources: string[]) => problems(userCreateSchema, { ...user, exclusiveResources });
    expect(entries(['funds/read', 'LPs/commitments/write', `companies/${ID}`, 'reports/read'])).toEqual([]);
    for (const entry of ['funds', 'funds/delete', `users/${ID}`, `entities/${ID}`, `funds/${ID}0`, "funds'/read"])
      expect(entries([entry]), entry).toHaveLength(1);
  });
});

test.each([
  ['title', { title: 'xx' }, { title: 'x' }],
  ['title', { title: x(30) }, { title: x(31) }],
  ['level', { level: 1 }, { level: 0 }],
  ['level', { level: 30 }, { level: 31 }],
  ['level', { level: 2 }, { level: 1.5 }],
  ['permissions.0', { permissions: ['reports/read'] }, { permissions: ['reports'] }],
])('a role enforces its limits: %s', (path, within, beyond) => {
  expect(problems(roleCreateSchema, { ...role, ...within })).toEqual([]);
  expect(problems(roleCreateSchema, { ...role, ...beyond })[0]).toMatch(new RegExp(`^${path}: `));
});

test.each([
  ['title', { title: 'xx' }, { title: 'x' }],
  ['title', { title: x(20) }, { title: x(21) }],
  ['allowed', { allowed: ['LP'] }, { allowed: [] }],
  ['allowed.0', { allowed: ['LPGroup'] }, { allowed: ['owner'] }],
  ['allowed', { key: 'history/read' }, { key: 'history/read', allowed: ['manager', 'LP'] }],
  ['key', { key: 'LPs/commitments/read' }, { key: 'reports/delete' }],
])('a permission enforces its limits: %s', (path, within, beyond) => {
  expect(problems(permissionCreateSchema, { ...permission, ...within })).toEqual([]);
  expect(problems(permissionCreateSchema, { ...permission, ...beyond })[0]).toMatch(new RegExp(`^${path}: `));
});

test('a document that is blocked and allowed is allowed', () => {
  const [one, other] = [`funds/${ID}`, `companies/${ID}`];
  expect(
    documentAccess({ exclusiveResources: ['funds/read', one, other], inclusiveResources: [other, 'LPs/read'] }),
  ).toEqual({ blocked: [one], allowed: [other] });
  expect(documentOf(one)).toEqual({ collection: 'funds', id: ID });
  expect(documentOf('funds/read')).toBeNull();
});

test('a removed user stays removed, and an invited one is disabled or removed like any other', () => {
  expect(USER_TRANSITIONS.allows('Pending', 'Active')).toBe(true);
  expect(USER_TRANSITIONS.allows('Disabled', 'Active')).toBe(true);
  expect(USER_TRANSITIONS.allows('Active', 'Pending')).toBe(false);
  expect(() => USER_TRANSITIONS.require('Removed', 'Active')).toThrow('A user cannot go from Removed to Active');
});
