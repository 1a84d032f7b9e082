import type { Collection } from '../collections/collection.ts';

export const rateCollection = {
  one: 'Currency rates',
  many: 'Currency rates',
  read: 'history/read',
} as const satisfies Collection;
