import { z } from 'zod';
import { idSchema } from '../../documents/id.schema.ts';
import { listQuerySchema } from '../../filters/list-query.schema.ts';
import { ASSET_CAUSES } from './causes.ts';

/** The certificate to compare one with. */
export const comparisonQuerySchema = z.object({
  against: idSchema.optional().meta({
    description: 'Another borrowing base of the facility; default: that of the cut-off date before, of the same note',
  }),
});

/** A page of the assets behind a cause. */
export const affectedAssetsQuerySchema = comparisonQuerySchema
  .extend(listQuerySchema.pick({ skip: true, limit: true }).shape)
  .extend({ cause: z.enum(ASSET_CAUSES) });
