import type { Collection } from '../collections/collection.ts';

export const facilityFigureCollection = {
  one: 'Facility figure',
  many: 'Facility figures',
  read: 'transactions/read',
  write: 'transactions/write',
  list: '/monitoring/facility-figures',
  page: '/monitoring/facility-figures',
  menu: { section: 'Monitoring', rank: 7 },
} as const satisfies Collection;
