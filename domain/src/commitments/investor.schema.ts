import { z } from 'zod';
import { describeAccepted } from '../documents/accepted-shape.ts';
import { idSchema } from '../documents/id.schema.ts';
import { MAX_TITLE } from '../documents/text.schema.ts';

export const INVESTOR_KINDS = ['fund', 'LP'] as const;

/**
 * An investor in a request: an LP, or a fund that invests in another fund. Its names may be sent as a call returned them.
 */
export const investorReferenceSchema = z.object({ id: idSchema, kind: z.enum(INVESTOR_KINDS) });
describeAccepted(
  investorReferenceSchema,
  z
    .object({
      ...investorReferenceSchema.shape,
      title: z.string().max(MAX_TITLE).nullish(),
      formalName: z.string().max(MAX_TITLE).nullish(),
      code: z.int().nullish(),
    })
    .meta({ id: 'InvestorReference' }),
);

export type InvestorReference = z.output<typeof investorReferenceSchema>;

export const investorSchema = z
  .object({
    id: z.string(),
    kind: z.enum(INVESTOR_KINDS),
    title: z.string().nullable(),
    formalName: z.string().nullable(),
    code: z.int().nullable(),
  })
  .meta({ id: 'Investor' });
