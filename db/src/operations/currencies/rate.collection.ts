import { dayInWords, joined, type StoredCollection } from '../../collections/stored-collection.ts';
import { CurrencyRate } from '../../entities/records.ts';

export const storedRates = {
  entity: CurrencyRate,
  title: joined(dayInWords('t.last_update'), 't.source'),
  isDocument: false,
} as const satisfies StoredCollection;
