import type { Collection } from '../collections/collection.ts';

/** Files of bank statements that a bank delivered to the object storage, with what came of each. */
export const statementFileCollection = {
  one: 'Delivered statement file',
  many: 'Delivered statement files',
  read: 'payments/read',
  list: '/cash/statements/delivered',
} as const satisfies Collection;
