import { certificationSubmitSchema } from '@tapeline/domain/certifications/certification.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { textSchema } from '@tapeline/domain/documents/text.schema.ts';
import { z } from 'zod';
import { versionField } from '../../../../components/forms/version-field.ts';

export const onCertificate = z.object({ certificate: idSchema });

export const signForm = z.object({
  ...certificationSubmitSchema.shape,
  version: versionField,
  certificate: idSchema,
});

/** A reason beside each line that is wrong; most have none. */
export const disputeForm = z.object({
  certificate: idSchema,
  lines: z
    .array(z.object({ line: z.string().max(400), reason: textSchema(5, 500).optional() }))
    .max(1000)
    .default([]),
});
