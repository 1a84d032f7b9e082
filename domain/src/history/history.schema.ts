import { z } from 'zod';
import { changedBySchema } from '../documents/document.schema.ts';

/** What a change did. Delete marks a document as Removed; Permanent Delete deletes its row. */
export const HISTORY_OPERATIONS = ['Insert', 'Update', 'Delete', 'Permanent Delete'] as const;
export type HistoryOperation = (typeof HISTORY_OPERATIONS)[number];

/** One field that a change set, with its values before and after. */
export interface UpdatedField {
  /** The field, or a path into it: `title`, `banks[0].IBAN`. */
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
}

const updatedFieldSchema = z
  .object({
    field: z.string().meta({ description: 'The path of the field', example: 'banks[0].IBAN' }),
    old: z.json().meta({ description: 'The value before, null if there was none' }),
    new: z.json().meta({ description: 'The value after, null if there is none' }),
  })
  .meta({ id: 'UpdatedField' });

/** One change to one document, as the API returns it. */
export const historySchema = z
  .object({
    id: z.string(),
    resource: z.string().meta({ description: 'The collection of the document', example: 'companies' }),
    documentId: z.string(),
    operation: z.enum(HISTORY_OPERATIONS).meta({
      description: 'Delete marks the document as Removed; Permanent Delete deletes it',
    }),
    updatedFields: z.array(updatedFieldSchema).meta({
      description: 'Field by field: objects and lists are compared, and the path names the part that differs',
    }),
    changedBy: changedBySchema,
    changedAt: z.string().meta({ format: 'date-time', description: 'When the change took effect' }),
    recordedAt: z.string().meta({ format: 'date-time', description: 'When the database recorded the change' }),
  })
  .meta({
    id: 'History',
    example: {
      id: '6921f0a30000000000000041',
      resource: 'funds',
      documentId: '65f0c2a1b3d4e5f601234567',
      operation: 'Update',
      updatedFields: [{ field: 'hardCap', old: 50000000, new: 60000000 }],
      changedBy: {
        agent: 'Mozilla/5.0',
        ip: '203.0.113.7',
        locale: 'en',
        timestamp: '2026-11-20T09:14:05.120Z',
        entity: { id: '65f0c2a1b3d4e5f601234568', firstName: 'Mara', lastName: 'Holt' },
      },
      changedAt: '2026-11-20T09:14:05.120Z',
      recordedAt: '2026-11-20T09:14:05.131Z',
    },
  });
