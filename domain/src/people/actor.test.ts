import { describe, expect, test } from 'vitest';
import { can, PERMISSION_KEYS, USER_TYPES, type UserActor } from './actor.ts';

const analyst: UserActor = {
  kind: 'user',
  userId: 'a'.repeat(24),
  email: 'analyst@example.test',
  firstName: 'Anton',
  lastName: 'Reyes',
  type: 'manager',
  roleTitle: 'Analyst',
  level: 10,
  managerId: 'b'.repeat(24),
  companyId: null,
  lpIds: [],
  assocTitle: 'Harbour Credit Partners',
  permissions: ['assets/read', 'assets/ETL/write'],
};

test('User types have the words of the wire', () => {
  expect([...USER_TYPES].sort()).toEqual(['LP', 'LPGroup', 'admin', 'company', 'manager']);
});

test('Permission keys are 18 pairs of read and write, and three that only read', () => {
  expect(new Set(PERMISSION_KEYS).size).toBe(39);
  const readOnly = PERMISSION_KEYS.filter(
    (key) => key.endsWith('/read') && !PERMISSION_KEYS.includes(key.replace(/read$/, 'write') as never),
  );
  expect(readOnly).toEqual(['history/read', 'borrowingBase/read', 'preview/read']);
  expect(PERMISSION_KEYS).toContain('LPs/commitments/write');
  expect(PERMISSION_KEYS).toContain('assets/ETL/read');
});

describe('What one can do', () => {
  test('is what the key says to the letter: neither reading by writing, nor a part by the whole', () => {
    expect(can(analyst, 'assets/read')).toBe(true);
    expect(can(analyst, 'assets/write')).toBe(false);
    expect(can(analyst, 'assets/ETL/write')).toBe(true);
    expect(can(analyst, 'assets/ETL/read')).toBe(false);
  });

  test('comes from the rights that count, not from the kind of user or the level', () => {
    const admin: UserActor = { ...analyst, type: 'admin', level: 1, permissions: [] };
    expect(PERMISSION_KEYS.filter((key) => can(admin, key))).toEqual([]);
  });

  test('is everything for the program itself', () => {
    expect(PERMISSION_KEYS.every((key) => can({ kind: 'system', name: 'Tapeline' }, key))).toBe(true);
  });
});
