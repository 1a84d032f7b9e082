import { amendmentCreateSchema } from '@tapeline/domain/amendments/amendment.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';
import { versionField } from '../../../components/forms/version-field.ts';
import { amendedTermsForm } from '../transactions/forms/terms-form.ts';

const { title, effectiveDate, remark } = amendmentCreateSchema.shape;

export const amendmentForm = z.object({
  title,
  effectiveDate,
  remark,
  terms: amendedTermsForm,
  document: z.string().max(1000).optional(),
  transactionVersion: versionField,
  /** What the person saw of its effect. */
  seen: z.string().max(100).optional(),
  /** Why the file could not be stored. */
  refused: z.string().max(1000).optional(),
});
export type AmendmentForm = z.output<typeof amendmentForm>;
export const amendmentFormDescription = describeForm(amendmentForm);
