import type { SubmissionResult } from '@conform-to/react';
import type { CompanyCreate } from '@tapeline/domain/companies/company.schema.ts';
import { addressSchema, entityCreateSchema, GENERAL_BUSINESS_TYPE } from '@tapeline/domain/entities/entity.schema.ts';
import { currencySchema } from '@tapeline/domain/money/amount.schema.ts';
import { can, type UserActor } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';

/** The intent of the button that creates a company inside another form. */
export const QUICK_COMPANY = 'createCompany';

/** The fields of a new company inside another form. The rest of the form is kept and not checked. */
export const quickCompanySchema = z.looseObject({
  newCompany: z.object({
    name: entityCreateSchema.shape.name,
    country: addressSchema.shape.country,
    currency: currencySchema,
  }),
});

/** Stands for the registration number until it is entered on the company's page. */
const FORMAL_ID_TO_FOLLOW = 'To follow';

/** The company that the fields describe. Its legal form and registration number are entered later. */
export const quickCompanyOf = ({ newCompany }: z.output<typeof quickCompanySchema>): CompanyCreate => ({
  entity: {
    kind: 'new',
    entity: entityCreateSchema.parse({
      name: newCompany.name,
      formalId: FORMAL_ID_TO_FOLLOW,
      nationality: { country: newCompany.country },
      business: { type: GENERAL_BUSINESS_TYPE, formalName: newCompany.name, currency: newCompany.currency },
    }),
  },
  domains: [],
});

/** A new company brings its legal entity along. */
export const mayCreateCompany = (actor: UserActor): boolean =>
  can(actor, 'companies/write') && can(actor, 'entities/write');

/** What an action answers if it did not redirect. */
export interface QuickAnswer {
  readonly intent?: string;
  readonly lastResult?: SubmissionResult<string[]>;
  /** The company that was created inside the form. */
  readonly company?: { readonly id: string; readonly name: string };
}

export const QUICK_COMPANY_LABELS = {
  'newCompany.name': 'Borrower name',
  'newCompany.country': 'Country',
  'newCompany.currency': 'Borrower currency',
} as const;
