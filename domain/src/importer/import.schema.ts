import { z } from 'zod';
import { documentSchema, fileMetadataSchema } from '../documents/document.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import { attachmentSchema } from '../tapes/tape.schema.ts';
import { IMPORT_KINDS } from './kinds.ts';

/** The sheets of an import, and the PDFs that their rows name. */
export const MAX_IMPORT_ATTACHMENTS = 310;

/** A request to import files of one kind. All rows are imported, or none. */
export const importRequestSchema = z.object({
  kind: z.enum(IMPORT_KINDS),
  attachments: z
    .array(attachmentSchema, REQUIRED)
    .min(1, { message: 'Choose at least one file' })
    .max(MAX_IMPORT_ATTACHMENTS, { message: `At most ${MAX_IMPORT_ATTACHMENTS} files` }),
  status: z.enum(['Draft', 'Active', 'Pending']).optional(),
});

const resultSchema = z.object({
  kind: z.enum(IMPORT_KINDS),
  uploadedCount: z.int(),
  totalCount: z.int(),
  warnings: z
    .array(z.object({ row: z.int(), message: z.string() }))
    .optional()
    .meta({ description: 'Rows that can be imported but look like a mistake, such as a NAV of a day in the future' }),
  errors: z.array(z.object({ row: z.int().nullable(), column: z.string().nullable(), message: z.string() })),
  attachment: fileMetadataSchema,
});

/** The outcome of an import or of a dry run. */
export const importResponseSchema = z.object({
  uploadResults: z.array(resultSchema),
  bulkActionCode: z.string().nullable().meta({ description: 'Identifies the import, to undo it; null for a dry run' }),
});

/** A past import as the API returns it. */
export const importRecordSchema = documentSchema
  .extend({
    resource: z.object({ kind: z.enum(IMPORT_KINDS) }),
    uploadedCount: z.int(),
    totalCount: z.int(),
    attachment: fileMetadataSchema,
    bulkActionCode: z.string(),
  })
  .meta({ id: 'Import' });
