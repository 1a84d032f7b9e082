import type { StoredCollection } from '../../collections/stored-collection.ts';
import { DeliveredFile } from '../../entities/bank-statements.ts';

export const storedStatementFiles = {
  entity: DeliveredFile,
  title: `'Delivered file ' || t.name`,
  fields: {
    name: 'text',
    size: 'number',
    writtenAt: ['Written', 'instant'],
    outcome: 'text',
    reason: 'text',
    fileId: ['File', 'text'],
    statements: 'number',
    added: ['Payments', 'number'],
  },
} as const satisfies StoredCollection;
