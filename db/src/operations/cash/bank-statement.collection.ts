import { dayInWords, type StoredCollection } from '../../collections/stored-collection.ts';
import { BankStatement } from '../../entities/bank-statements.ts';

export const storedBankStatements = {
  entity: BankStatement,
  title: `'Statement ' || t.number || ' to ' || ${dayInWords('t.to_date')}`,
} as const satisfies StoredCollection;
