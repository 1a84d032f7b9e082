import { z } from 'zod';
import { documentSchema, fileMetadataSchema, warningsShape } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { type Labels, valuesOf } from '../documents/labels.ts';
import { MAX_TEXT, nameSchema, optionalNameSchema, textSchema } from '../documents/text.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import { classKeySchema } from '../funds/fund.schema.ts';
import { attachmentSchema } from '../tapes/tape.schema.ts';

export const ANNOUNCEMENT_KIND_LABELS = {
  all: 'Everyone',
  funds: 'Funds',
  LPs: 'Investors',
  companies: 'Borrowers',
} as const;
/** Whom an announcement of each kind is for, if it names nobody. */
export const AUDIENCE_LABELS: Labels<keyof typeof ANNOUNCEMENT_KIND_LABELS> = {
  all: 'Everyone',
  funds: 'Investors of all funds',
  LPs: 'All investors',
  companies: 'All borrowers',
};
export const ANNOUNCEMENT_KINDS = valuesOf(ANNOUNCEMENT_KIND_LABELS);
export const MAX_FILES = 20;

/** An announcement to everyone, or to the people of one fund, investor or company. */
const resourceSchema = z
  .object({ kind: z.enum(ANNOUNCEMENT_KINDS), id: idSchema.optional() })
  .refine(({ kind, id }) => kind !== 'all' || id === undefined, {
    path: ['id'],
    message: 'An announcement to all has no id',
  });

/** The body for publishing an announcement. */
export const announcementCreateSchema = z.object({
  resource: resourceSchema,
  title: nameSchema(1, 250),
  subTitle: optionalNameSchema(250),
  description: textSchema(1, 20_000),
  files: z
    .array(attachmentSchema)
    .max(MAX_FILES, { message: `At most ${MAX_FILES} files` })
    .default([]),
  Class: classKeySchema.nullish(),
  /** Publishes without sending emails. */
  disableEmail: z.boolean().default(false),
});

/** The warning of an announcement that has no recipients. */
export const NOBODY_TOLD =
  'No one is notified: no one in its audience has an account. Invite them first: users added later see it, but get no email.';

/** An announcement as the API returns it. */
export const announcementSchema = documentSchema
  .extend({
    resource: z.object({ kind: z.enum(ANNOUNCEMENT_KINDS), id: z.string().optional() }),
    title: z.string(),
    subTitle: z.string().nullable(),
    description: z.string(),
    files: z.array(fileMetadataSchema),
    Class: z.string().nullable(),
    disableEmail: z.boolean(),
    users: z.int().nullable().meta({ description: 'Number of recipients; null for investors and borrowers' }),
    isRead: z.boolean(),
    ...warningsShape,
  })
  .meta({ id: 'Announcement' });

export const NOTIFICATION_LEVELS = ['info', 'warning', 'danger'] as const;

/** A user marks a notification as read or unread. */
export const notificationUpdateSchema = z.object({ isRead: z.boolean(REQUIRED) });

const about = z.object({ kind: z.string().max(MAX_TEXT), id: z.string().optional() });

/** A notification as the API returns it. */
export const notificationSchema = documentSchema
  .extend({
    resource: about,
    subResource: about.nullable(),
    title: z.string(),
    description: z.string().nullable(),
    notificationLevel: z.enum(NOTIFICATION_LEVELS),
    isRead: z.boolean(),
    ...warningsShape,
    user: z.string(),
    actionRequired: z.boolean(),
  })
  .meta({ id: 'Notification' });
