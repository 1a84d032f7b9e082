import { z } from 'zod';
import { idSchema } from '../documents/id.schema.ts';

export const INVESTOR_KINDS = ['fund', 'LP'] as const;

/** An investor in a request: an LP, or a fund that invests in another fund. */
export const investorReferenceSchema = z.object({ id: idSchema, kind: z.enum(INVESTOR_KINDS) });

export type InvestorReference = z.output<typeof investorReferenceSchema>;

/** An investor in a response. */
export const investorSchema = z
  .object({
    id: z.string(),
    kind: z.enum(INVESTOR_KINDS),
    title: z.string().nullable(),
    formalName: z.string().nullable(),
    code: z.int().nullable(),
  })
  .meta({ id: 'Investor' });
