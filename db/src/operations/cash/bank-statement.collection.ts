import { dayInWords, type StoredCollection } from '../../collections/stored-collection.ts';
import { BankStatement } from '../../entities/bank-statements.ts';

export const storedBankStatements = {
  entity: BankStatement,
  title: `'Statement ' || t.number || ' to ' || ${dayInWords('t.to_date')}`,
  fields: {
    bankAccount: 'text',
    'bankAccount.title': ['Bank account', 'text'],
    fileId: ['File', 'text'],
    format: 'text',
    number: 'text',
    toDate: ['To', 'date'],
    currency: 'text',
    lineCount: ['Lines', 'number'],
  },
} as const satisfies StoredCollection;
