import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';

const stored = z.object({ field: z.string(), key: z.string().min(1).max(1024), name: z.string().min(1).max(250) });

/** A file of statements, as the page checks it: the action turns its upload into an entry of `files`. */
export const statementFields = z.object({
  bankAccount: idSchema.optional(),
  files: z.array(stored).max(1).default([]),
  refused: z.array(z.string().max(1000)).max(1).default([]),
});
export const statementFieldsDescription = describeForm(statementFields);

export const statementFileForm = statementFields.refine(({ files, refused }) => files.length + refused.length > 0, {
  path: ['files'],
  message: 'Choose a file',
});
