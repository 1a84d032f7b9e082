import { describe, expect, test } from 'vitest';
import { can, PERMISSION_KEYS, sightOf, USER_TYPES, type UserActor } from './actor.ts';

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
  blockedDocuments: [],
  allowedDocuments: [],
  onboarding: [],
};

test('User types have the values of the API', () => {
  expect([...USER_TYPES].sort()).toEqual(['LP', 'LPGroup', 'admin', 'company', 'manager']);
});

test('Permission keys are 19 pairs of read and write, three that only read, and one that releases payments', () => {
  expect(new Set(PERMISSION_KEYS).size).toBe(42);
  const readOnly = PERMISSION_KEYS.filter(
    (key) => key.endsWith('/read') && !PERMISSION_KEYS.includes(key.replace(/read$/, 'write') as never),
  );
  expect(readOnly).toEqual(['history/read', 'borrowingBase/read', 'preview/read']);
  expect(PERMISSION_KEYS).toContain('LPs/commitments/write');
  expect(PERMISSION_KEYS).toContain('assets/ETL/read');
});

test('What a person sees is another if their type, tenant, company, investors or documents change', () => {
  const changes: Partial<UserActor>[] = [
    { type: 'admin' },
    { managerId: null },
    { companyId: 'c'.repeat(24) },
    { lpIds: ['d'.repeat(24)] },
    { blockedDocuments: ['funds/1'] },
    { allowedDocuments: ['funds/1'] },
  ];
  // As many as there are entries: none may be left out.
  expect(changes).toHaveLength(sightOf(analyst).length);
  for (const change of changes) expect(sightOf({ ...analyst, ...change })).not.toEqual(sightOf(analyst));
  expect(sightOf({ ...analyst, firstName: 'Antonia', permissions: [] })).toEqual(sightOf(analyst));
});

describe('Permissions', () => {
  test('match the exact key: writing does not include reading, nor the whole a part', () => {
    expect(can(analyst, 'assets/read')).toBe(true);
    expect(can(analyst, 'assets/write')).toBe(false);
    expect(can(analyst, 'assets/ETL/write')).toBe(true);
    expect(can(analyst, 'assets/ETL/read')).toBe(false);
  });

  test('come from the effective rights, not from the kind of user or the level', () => {
    const admin: UserActor = { ...analyst, type: 'admin', level: 1, permissions: [] };
    expect(PERMISSION_KEYS.filter((key) => can(admin, key))).toEqual([]);
  });

  test('include everything for the program itself', () => {
    expect([...new Set(PERMISSION_KEYS.map((key) => can({ kind: 'system', name: 'Tapeline' }, key)))]).toEqual([true]);
  });
});
