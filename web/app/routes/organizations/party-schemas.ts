import { externalCodeSchema } from '@tapeline/domain/documents/external-code.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { type LPGroupReference, lpTitleSchema } from '@tapeline/domain/investors/lp.schema.ts';
import { z } from 'zod';
import { describeForms } from '../../components/forms/describe-form.ts';
import { newPartySchema, partyEditSchema } from '../../components/organizations/entity-form.ts';

/** An organization that has a legal entity, people and files. */
export type PartyKind = 'company' | 'manager' | 'investor';

const companyFields = { externalCode: externalCodeSchema };
const managerFields = { endsIdleSessions: z.boolean().default(false) };
const investorFields = {
  title: lpTitleSchema,
  groupId: idSchema.optional(),
  groupTitle: lpTitleSchema.optional(),
  externalCode: externalCodeSchema,
};

/** A new investor has the name of its entity as its title, unless it is given one. */
const newInvestorFields = { ...investorFields, title: lpTitleSchema.optional() };

export const NEW_PARTY_SCHEMAS = {
  company: newPartySchema.extend(companyFields),
  manager: newPartySchema.extend(managerFields),
  investor: newPartySchema.extend(newInvestorFields),
} as const;
export const NEW_PARTY_DESCRIPTIONS = describeForms(NEW_PARTY_SCHEMAS);

export const PARTY_EDIT_SCHEMAS = {
  company: partyEditSchema.extend(companyFields),
  manager: partyEditSchema.extend(managerFields),
  investor: partyEditSchema.extend(investorFields),
} as const;
export const PARTY_EDIT_DESCRIPTIONS = describeForms(PARTY_EDIT_SCHEMAS);

/** The group that the form gives: a new one by its title, otherwise the chosen one. */
export function groupOf(form: {
  groupId?: string | undefined;
  groupTitle?: string | undefined;
}): LPGroupReference | null {
  if (form.groupTitle) return { title: form.groupTitle };
  return form.groupId ? { id: form.groupId } : null;
}
