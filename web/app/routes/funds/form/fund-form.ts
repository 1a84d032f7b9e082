import { fieldLabel } from '@tapeline/domain/documents/field-labels.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { percentageSchema } from '@tapeline/domain/documents/number.schema.ts';
import { type FundCreate, fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { currencySchema, notNegativeSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { optionalGroup, withoutBlanks } from '../../../components/forms/blank.ts';
import { describeForm } from '../../../components/forms/describe-form.ts';
import { versionField } from '../../../components/forms/version-field.ts';

/** Parties of a fund: more on creation than later. */
export const MAX_PARTIES = { create: 20, edit: 10 } as const;
export const MAX_CLASSES = 10;
export const MAX_TIMELINE = 100;

const shape = fundCreateSchema.shape;

const nonRecyclable = optionalGroup(shape.nonRecyclable.unwrap().unwrap());

/** Fields that funds and main funds share. Sums are in the currency of the document. */
export const fundTermsForm = {
  title: shape.title,
  type: shape.type,
  strategy: shape.strategy,
  targetSize: notNegativeSchema,
  hardCap: notNegativeSchema,
  closingDate: shape.closingDate,
  description: shape.description,
  nonRecyclable,
};

/** The same of a stored fund or main fund, as the fields of its form hold them. */
export const shownFundTerms = ({
  title,
  type,
  strategy,
  targetSize,
  hardCap,
  closingDate,
  description,
  nonRecyclable: from,
}: {
  title: string;
  type: string;
  strategy: string;
  targetSize: string;
  hardCap: string;
  closingDate?: string | null;
  description?: string | null;
  nonRecyclable?: { declerationDate?: string | null; fromBeginning?: boolean | null } | null;
}) => ({
  title,
  type,
  strategy,
  targetSize,
  hardCap,
  closingDate: closingDate ?? '',
  description: description ?? '',
  nonRecyclable: {
    declerationDate: from?.declerationDate ?? '',
    fromBeginning: from?.fromBeginning ? 'on' : '',
  },
});

const parties = (most: number, what: string) =>
  withoutBlanks(z.array(idSchema).max(most, { message: `At most ${most} ${what}` }));

const fundShape = (most: number) => ({
  ...fundTermsForm,
  classes: withoutBlanks(shape.classes.unwrap()),
  timeline: withoutBlanks(shape.timeline.unwrap()),
  GPs: parties(most, 'general partners'),
  serviceProviders: parties(most, 'service providers'),
  managementCompany: idSchema.optional(),
  entity: idSchema.optional(),
  mainFund: idSchema.optional(),
  excludeFromIRRCalculations: z.boolean().default(false),
  excuseCap: percentageSchema.optional(),
  investmentPeriodEnd: shape.investmentPeriodEnd,
  externalCode: shape.externalCode,
});

/** A fund as its form gives it. Its entities are chosen from the register. */
export const newFundForm = z.object({ ...fundShape(MAX_PARTIES.create), currency: currencySchema });
export const newFundFormDescription = describeForm(newFundForm);
export const fundEditForm = z.object({
  ...fundShape(MAX_PARTIES.edit),
  // Not called `version`, so that the error for a stale version appears at the top of the form.
  fundVersion: versionField,
});
export const fundEditFormDescription = describeForm(fundEditForm);

/** The lists of a fund that `act` edits without JavaScript. */
export const FUND_LISTS = ['classes', 'timeline', 'GPs', 'serviceProviders'];

const entity = (id: string) => ({ kind: 'known', id, fields: {} }) as const;
const sum = (text: string) => ({ sum: text, currency: null });

/** The fund that the form describes, as the operations take it. */
export function fundOfForm(form: Omit<z.output<typeof newFundForm>, 'currency'>): Omit<FundCreate, 'currency'> {
  return {
    ...form,
    externalCode: form.externalCode ?? null,
    investmentPeriodEnd: form.investmentPeriodEnd ?? null,
    targetSize: sum(form.targetSize),
    hardCap: sum(form.hardCap),
    GPs: form.GPs.map(entity),
    managementCompany: form.managementCompany ? entity(form.managementCompany) : null,
    entity: form.entity ? entity(form.entity) : null,
    mainFund: form.mainFund ?? null,
  };
}

const FIELDS: Readonly<Record<string, string>> = {
  GPs: 'General partner',
  classes: 'Class',
  timeline: 'Stage',
  serviceProviders: 'Service provider',
  managementCompany: 'Management company',
  entity: 'Entity of the fund',
  mainFund: 'Main fund',
  excuseCap: 'Cap on excused amounts',
  investmentPeriodEnd: 'End of the investment period',
  excludeFromIRRCalculations: 'Leave out of returns over several funds',
  declerationDate: 'Not recallable from',
  fromBeginning: 'From the beginning',
  planned: 'Planned start',
  endTime: 'Planned end',
  actual: 'Actual start',
  activated: 'Activated',
  name: 'Name',
  uniqueKey: 'Key',
  targetSize: 'Target size',
  hardCap: 'Hard cap',
  closingDate: 'Closing date',
  classMembers: 'Member fund',
};

/** "Class 2, Name" for `classes[1].name`. */
export function fundLabel(name: string): string {
  const parts: string[] = [];
  for (const [, field = '', index] of name.matchAll(/([A-Za-z]+)(?:\[(\d+)\])?/g)) {
    if (field === 'nonRecyclable') continue;
    const label = FIELDS[field] ?? fieldLabel(field);
    parts.push(index === undefined ? label : `${label} ${Number(index) + 1}`);
  }
  return parts.length === 0 ? name : parts.join(', ');
}
