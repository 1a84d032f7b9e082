import { callNumberSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import {
  componentsOf,
  DISTRIBUTION_KINDS,
  type DistributionCreate,
  dividedComponentShape,
  INTEREST_WITHOUT_PRINCIPAL,
  PRINCIPAL_SPLITS,
  PRINCIPAL_WITHOUT_COMPONENTS,
  withComponentRules,
} from '@tapeline/domain/capital/distribution.schema.ts';
import { isSummed } from '@tapeline/domain/capital/own-amounts.schema.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { percentageSchema } from '@tapeline/domain/documents/number.schema.ts';
import { MAX_TEXT, optionalTextSchema } from '@tapeline/domain/documents/text.schema.ts';
import { REQUIRED } from '@tapeline/domain/errors/reason.ts';
import { classKeySchema } from '@tapeline/domain/funds/fund.schema.ts';
import { notNegativeSchema } from '@tapeline/domain/money/amount.schema.ts';
import { isZero } from '@tapeline/domain/money/decimal.ts';
import { z } from 'zod';
import { withoutBlanks } from '../../../components/forms/blank.ts';
import { changeShape } from '../draft-change.ts';
import { ownShape } from '../own-amounts.ts';

const component = withComponentRules(
  z.object({
    ...dividedComponentShape,
    rate: percentageSchema.optional(),
    /** Empty for one that its parts add up to. */
    amount: notNegativeSchema.optional(),
  }),
).refine((one) => one.amount !== undefined || isSummed(one), { path: ['amount'], message: REQUIRED });

export const distributionForm = z
  .object({
    fund: idSchema,
    Class: classKeySchema.optional(),
    cutOffDate: calendarDateSchema,
    callNumber: callNumberSchema,
    distributionKind: z.enum(DISTRIBUTION_KINDS),
    /** Empty for a distribution without principal. */
    principal: notNegativeSchema.optional(),
    principalSplit: z.enum(PRINCIPAL_SPLITS).default('commitment'),
    components: withoutBlanks(
      componentsOf(component),
      // A type and a rule are always chosen.
      'actionType',
      'split',
    ),
    trailingDescription: optionalTextSchema(MAX_TEXT),
    recallableDistribution: z.boolean().default(false),
    operationalExpenses: z.boolean().default(false),
    fundLevel: z.boolean().default(false),
    capitalGains: z.boolean().default(false),
    basis: z.boolean().default(false),
    vat: percentageSchema.optional(),
    ...ownShape,
  })
  .refine(...INTEREST_WITHOUT_PRINCIPAL)
  .refine(...PRINCIPAL_WITHOUT_COMPONENTS)
  .refine(({ principal, components }) => components.length > 0 || !isZero(principal ?? '0'), {
    path: ['principal'],
    message: 'Enter a principal or a component',
  });

export type DistributionForm = z.output<typeof distributionForm>;

/** The fields of the notice's options. */
const OPTIONS = ['recallableDistribution', 'operationalExpenses', 'fundLevel', 'capitalGains', 'basis'] as const;

/** The terms of a distribution. */
export function distributionOfForm(
  form: DistributionForm,
  currency: string,
): Omit<DistributionCreate, 'Class' | 'status' | 'dryRun' | 'amounts'> {
  const { fund, cutOffDate, callNumber, distributionKind, principalSplit, trailingDescription } = form;
  const { recallableDistribution, operationalExpenses, fundLevel, capitalGains, basis, vat } = form;
  return {
    fund,
    cutOffDate,
    callNumber,
    distributionKind,
    trailingDescription,
    principal: { sum: form.principal ?? '0', currency },
    principalSplit,
    components: form.components.map((one) => ({
      ...one,
      amount: one.amount === undefined ? null : { sum: one.amount, currency },
    })),
    callPurposes: [],
    pdfOptions: { recallableDistribution, operationalExpenses, fundLevel, capitalGains, basis, vat: vat ?? null },
  };
}

/** A draft distribution that is changed. */
export const distributionChangeForm = distributionForm.safeExtend(changeShape);
export type DistributionChangeForm = z.output<typeof distributionChangeForm>;

type Options = Partial<Record<(typeof OPTIONS)[number], boolean>> & { vat?: number | null | undefined };

/** The options of a notice as the form's fields hold them. */
export const enteredOptions = (options: Options = {}) => ({
  ...(options.vat == null ? {} : { vat: String(options.vat) }),
  ...Object.fromEntries(OPTIONS.map((option) => [option, options[option] ? 'on' : ''])),
});

/** The entered values as the form's fields hold them. */
export const enteredDistribution = ({
  vat,
  adjusting: _,
  undo: __,
  cancel: ___,
  discardOwn: ____,
  ...form
}: DistributionForm & Options) => ({
  ...form,
  ...enteredOptions({ ...form, vat }),
});
