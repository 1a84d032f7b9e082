import { z } from 'zod';
import { REQUIRED } from '../errors/required.ts';
import { idSchema } from './id.schema.ts';
import { GENERAL_STATUSES } from './status-groups.ts';

export {
  byStatusGroup,
  GENERAL_STATUSES,
  type GeneralStatus,
  STATUS_GROUPS,
  type StatusGroup,
  statusGroupOf,
} from './status-groups.ts';

/**
 * The version that an update is based on: a stale one is refused, so that nobody overwrites another person's change.
 */
export const versionSchema = z.int(REQUIRED).min(1);

/** Of an answer to a create or an update: what looks like a mistake. It was stored nevertheless. */
export const warningsShape = {
  warnings: z.array(z.string()).optional().meta({
    description:
      'What looks like a mistake in what was sent, such as a day in the future, or that no one is notified of what was published. It is stored',
  }),
};

/** Who made a change: a person or a program, with details of the call. */
export const changedBySchema = z
  .object({
    agent: z.string().nullable(),
    ip: z.string().nullable(),
    locale: z.string().nullable(),
    timestamp: z.string().meta({ format: 'date-time' }),
    entity: z.union([
      z.object({ id: z.string(), firstName: z.string(), lastName: z.string() }),
      z.object({ apiName: z.string() }),
    ]),
  })
  .meta({ id: 'ChangedBy' });
export type ChangedBy = z.infer<typeof changedBySchema>;

/** A stored file in the API; `size` is in bytes and `type` is the media type. */
export const fileMetadataSchema = z
  .object({
    bucket: z.string(),
    key: z.string(),
    name: z.string(),
    size: z.number(),
    type: z.string(),
    checksum: z.string().nullable(),
  })
  .meta({ id: 'FileMetadata' });
export type FileMetadata = z.infer<typeof fileMetadataSchema>;

/** Information about a document's creation and its last change. */
export const documentMetadataSchema = z
  .object({
    iat: z.string().meta({ description: 'When the document was created', format: 'date-time' }),
    createdBy: changedBySchema.optional(),
    changedBy: changedBySchema.optional(),
    bulkActionCode: z.string().optional(),
    rowNumber: z.int().optional(),
    attachment: fileMetadataSchema.optional(),
    loanTapeId: z.string().optional().meta({ description: 'Id of the loan tape that the document comes from' }),
    bundleId: z.string().optional().meta({ description: 'Shared by documents that were issued together' }),
    customFields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
  })
  .meta({ id: 'DocumentMetadata' });
export type DocumentMetadata = z.infer<typeof documentMetadataSchema>;

const target = z.object({ id: idSchema, title: z.string().max(250).optional() });

/** Whom a document belongs to or a user acts for: exactly one key. */
export const associationSchema = z
  .union(
    [
      z.strictObject({ admin: z.literal(true) }),
      z.strictObject({ manager: target }),
      z.strictObject({ company: target }),
      z.strictObject({ LP: target }),
      z.strictObject({ LPGroup: target }),
      z.strictObject({ fundGroup: target }),
    ],
    { error: 'must have exactly one of admin, manager, company, LP, LPGroup and fundGroup' },
  )
  .meta({ id: 'Association' });
export type Association = z.infer<typeof associationSchema>;

/** Fields of every document in the API. */
export const documentSchema = z.object({
  id: z.string(),
  status: z.enum(GENERAL_STATUSES),
  code: z.int().optional().meta({ description: 'Sequential number, counted per manager' }),
  version: z.int().meta({ description: 'Counts up with every change; an update names the version that it changes' }),
  metadata: documentMetadataSchema,
  assoc: associationSchema,
});
