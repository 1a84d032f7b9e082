import { ownLineSchema } from '@tapeline/domain/certifications/certification.schema.ts';
import { MAX_OWN_LINES } from '@tapeline/domain/certifications/certification-labels.ts';
import { z } from 'zod';
import { describeForm } from '../../../../components/forms/describe-form.ts';

/** The borrower's own lines. */
export const ownFiguresForm = z.object({
  lines: z
    .array(ownLineSchema)
    .min(1, { message: 'Enter at least one line' })
    .max(MAX_OWN_LINES, { message: `A certificate has at most ${MAX_OWN_LINES} lines` }),
});
export const ownFiguresDescription = describeForm(ownFiguresForm);

/** Lines that are copied from a spreadsheet: far more than a certificate has. */
const MAX_PASTED = 100_000;

/** Lines as text, or in a workbook that the server has read. */
export const pastedForm = z.object({
  pasted: z.string().max(MAX_PASTED, { message: 'At most 100,000 characters' }).default(''),
  refused: z.string().max(500).optional(),
});

/** A line of text has its cells between tabs, semicolons or two spaces. */
export const rowsOfText = (text: string): string[][] =>
  text.split(/\r?\n/).map((line) => line.split(/\t|;| {2,}/).map((cell) => cell.trim()));
