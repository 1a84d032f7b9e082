import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { CHOSEN } from '@tapeline/domain/documents/chosen.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { optionalTextSchema } from '@tapeline/domain/documents/text.schema.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import { classKeySchema } from '@tapeline/domain/funds/fund.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';

/** Investors whose uploaded statements one form takes. */
export const MAX_UPLOADS = 50;

const DOCUMENT = /^(statement|report)\.([0-9a-f]{24})\.(\d{1,9})$/;

/** The statements and reports that were chosen in the list. */
const chosen = z
  .array(z.string().regex(DOCUMENT, { message: 'is not known. Reload the page' }))
  .min(1, { message: 'Choose at least one document' })
  .max(500, { message: 'Choose at most 500 documents' })
  .transform((values) =>
    values.flatMap((value) => {
      const [, kind, id, version] = DOCUMENT.exec(value) ?? [];
      return kind && id ? [{ kind: kind as 'statement' | 'report', id, version: Number(version) }] : [];
    }),
  );

export const publishForm = z.object({ documents: chosen });
export const documentsRemovalForm = z.object({ documents: chosen, reason: optionalTextSchema(500) });

/** What is stored is a draft: it is published in the list, after the question who is told. */
const shared = { cutOffDate: calendarDateSchema };

/** Files that the form has stored, each with the field that it was chosen in. */
const stored = <Field extends z.ZodType<string>>(field: Field) =>
  z.array(
    z.object({ key: z.string().min(1).max(1024), name: z.string().max(255), field }).register(CHOSEN, { is: 'file' }),
  );
const refused = z.array(z.string().max(1000)).max(MAX_UPLOADS).default([]);

/** Computed statements: for all investors, or for those that are chosen. */
export const computeForm = z
  .object({
    ...shared,
    whom: z.enum(['all', 'chosen'], { message: REQUIRED }),
    investors: z.array(idSchema).max(5000).default([]),
  })
  .refine(({ whom, investors }) => whom === 'all' || investors.length > 0, {
    path: ['investors'],
    message: 'Choose at least one investor',
  });
export const computeFormDescription = describeForm(computeForm);

/** Statements from files, as the page checks them: only the action knows which files were chosen. */
export const uploadFields = z.object({
  ...shared,
  files: stored(z.string().regex(/^file-[0-9a-f]{24}$/))
    .max(MAX_UPLOADS)
    .default([]),
  refused,
});
export const uploadFieldsDescription = describeForm(uploadFields);

/** A report to all investors of a fund, class or main fund, as the page checks it. */
export const reportFields = z.object({
  ...shared,
  Class: classKeySchema.optional(),
  files: stored(z.literal('file')).max(1, { message: 'Choose one file' }).default([]),
  refused,
});
export const reportFieldsDescription = describeForm(reportFields);

const hasFile = ({ files, refused: problems }: { files: readonly unknown[]; refused: readonly string[] }): boolean =>
  files.length + problems.length > 0;

/** Statements from files, one for each investor. */
export const uploadForm = uploadFields.refine(hasFile, {
  path: ['files'],
  message: 'Choose the file of at least one investor',
});
export const reportForm = reportFields.refine(hasFile, { path: ['files'], message: REQUIRED });
