import type { Collection } from '../collections/collection.ts';

export const roleCollection = {
  one: 'Role',
  many: 'Roles',
  read: 'roles/read',
  write: 'roles/write',
  list: '/admin/roles',
  page: '/admin/roles',
  menu: { section: 'People and access', rank: 2 },
} as const satisfies Collection;
