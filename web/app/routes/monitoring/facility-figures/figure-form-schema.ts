import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { facilityFigureUpdateSchema } from '@tapeline/domain/facility-figures/facility-figure.schema.ts';
import { figureLinesSchema } from '@tapeline/domain/facility-figures/figure-lines.ts';
import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';
import { versionField } from '../../../components/forms/version-field.ts';

export const figureForm = z.object({
  ...facilityFigureUpdateSchema.shape,
  /** Of the stored figure that is changed. */
  version: versionField.optional(),
  document: z.string().max(1000).optional(),
  /** Why the file could not be stored. */
  refused: z.string().max(1000).optional(),
});
export const figureFormDescription = describeForm(figureForm);

/** Several figures of a borrower, one in each line. */
export const pasteForm = z.object({ company: idSchema, lines: figureLinesSchema });
export const pasteDescription = describeForm(pasteForm);

export const FIGURE_LABELS = {
  title: 'Name',
  date: 'As of',
  value: 'Figure',
  currency: 'Currency',
  remark: 'Remark',
} as const;
