import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { groupFilterCreateSchema, MAX_IDS } from '@tapeline/domain/group-filters/group-filter.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../components/forms/describe-form.ts';

const ids = z.preprocess(
  (value) => (value === undefined ? [] : [value].flat()),
  z.array(idSchema).max(MAX_IDS, `At most ${MAX_IDS}`),
);
export const filterFormSchema = groupFilterCreateSchema.pick({ title: true }).extend({ funds: ids, investors: ids });

/** The same for a stored filter. */
export const filterEditSchema = filterFormSchema.extend({ version: z.coerce.number().int() });
export const filterEditDescription = describeForm(filterEditSchema);
