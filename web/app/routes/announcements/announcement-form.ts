import { ANNOUNCEMENT_KINDS, announcementCreateSchema } from '@tapeline/domain/communication/announcement.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { classKeySchema } from '@tapeline/domain/funds/fund.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../components/forms/describe-form.ts';

export const kindSchema = z.enum(ANNOUNCEMENT_KINDS);
const { title, subTitle, description, files } = announcementCreateSchema.shape;
/** An id, and a class of the fund after a slash. */
const targetSchema = z
  .string()
  .max(200)
  .transform((chosen) => {
    const slash = chosen.indexOf('/');
    return slash < 0 ? { id: chosen } : { id: chosen.slice(0, slash), Class: chosen.slice(slash + 1) };
  })
  .pipe(z.object({ id: idSchema, Class: classKeySchema.optional() }));
export const announcementFormSchema = z.object({
  kind: kindSchema,
  target: targetSchema.optional(),
  title,
  subTitle,
  description,
  files: z.unknown().optional(),
  attachments: files,
  refused: z.array(z.string()).default([]),
  disableEmail: z.boolean().default(false),
  previewed: z.string().max(64).optional(),
});
export const announcementFormDescription = describeForm(announcementFormSchema);
