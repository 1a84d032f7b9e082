import { joined, type StoredCollection, TITLE_OF } from '../../collections/stored-collection.ts';
import { Repayment } from '../../entities/draws.ts';

export const storedRepayments = {
  entity: Repayment,
  title: joined(`'Repayment ' || t.code`, TITLE_OF.transaction, TITLE_OF.note),
} as const satisfies StoredCollection;
