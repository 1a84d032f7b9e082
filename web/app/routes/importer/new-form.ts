import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import { classKeySchema } from '@tapeline/domain/funds/fund.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../components/forms/describe-form.ts';

const stored = z.object({ field: z.string(), key: z.string().min(1).max(1024), name: z.string().min(1).max(250) });
/** PDFs of one form. */
export const MAX_PDFS = 300;

const files = {
  status: z.enum(['Draft', 'Active', 'Pending']).optional(),
  files: z.array(stored).max(MAX_PDFS).default([]),
  refused: z.array(z.string().max(1000)).max(MAX_PDFS).default([]),
};

/** A sheet to import, as the page checks it: the action turns its file into an entry of `files`. */
export const sheetFields = z.object(files);
export const sheetFieldsDescription = describeForm(sheetFields);

/** PDFs, as the page checks them: statements of a fund's investors, or reports on funds and classes. */
export const pdfFields = z.object({
  ...files,
  date: calendarDateSchema,
  fund: idSchema.optional(),
  classKey: classKeySchema.optional(),
});
export const pdfFieldsDescription = describeForm(pdfFields);

const hasFile = ({ files: sent, refused }: z.output<typeof sheetFields>): boolean => sent.length + refused.length > 0;
const FILES_REQUIRED = { path: ['files'], message: REQUIRED };

export const sheetForm = sheetFields.refine(hasFile, FILES_REQUIRED);
export const pdfForm = pdfFields.refine(hasFile, FILES_REQUIRED);
