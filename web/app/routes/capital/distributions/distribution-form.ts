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
  withWaterfallRules,
} from '@tapeline/domain/capital/distribution.schema.ts';
import { isSummed } from '@tapeline/domain/capital/own-amounts.schema.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { percentageSchema } from '@tapeline/domain/documents/number.schema.ts';
import { MAX_TEXT, nameSchema, optionalTextSchema } from '@tapeline/domain/documents/text.schema.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import { classKeySchema } from '@tapeline/domain/funds/fund.schema.ts';
import { notNegativeSchema } from '@tapeline/domain/money/amount.schema.ts';
import { compare, type DecimalText, isZero, subtract, sum } from '@tapeline/domain/money/decimal.ts';
import { z } from 'zod';
import { withoutBlanks } from '../../../components/forms/blank.ts';
import { describeForm } from '../../../components/forms/describe-form.ts';
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

/** What of proceeds by the waterfall is entered as income and gain. */
const profitOf = (components: readonly { split: string; amount?: DecimalText | undefined }[]): DecimalText =>
  sum(components.flatMap(({ split, amount }) => (split === 'waterfall' && amount !== undefined ? [amount] : [])));

export const distributionForm = withWaterfallRules(
  z
    .object({
      fund: idSchema,
      Class: classKeySchema.optional(),
      cutOffDate: calendarDateSchema,
      callNumber: callNumberSchema,
      distributionKind: z.enum(DISTRIBUTION_KINDS),
      /** Empty for a distribution without principal. By the waterfall, the proceeds with all that they consist of. */
      principal: notNegativeSchema.optional(),
      principalSplit: z.enum(PRINCIPAL_SPLITS).default('commitment'),
      /** Of proceeds by the waterfall; empty for those of the whole fund. */
      investment: nameSchema(1, 150).optional(),
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
    })
    .refine(({ principal, principalSplit }) => principalSplit !== 'waterfall' || !isZero(principal ?? '0'), {
      path: ['principal'],
      message: 'Enter the proceeds',
    })
    .refine(
      ({ principal, principalSplit, components }) =>
        principalSplit !== 'waterfall' || compare(profitOf(components), principal ?? '0') <= 0,
      { path: ['principal'], message: 'The income and gains are more than the proceeds' },
    ),
);
export const distributionFormDescription = describeForm(distributionForm);

export type DistributionForm = z.output<typeof distributionForm>;

/** The fields of the notice's options. */
const OPTIONS = ['recallableDistribution', 'operationalExpenses', 'fundLevel', 'capitalGains', 'basis'] as const;

/** The terms of a distribution. */
export function distributionOfForm(
  form: DistributionForm,
  currency: string,
): Omit<DistributionCreate, 'Class' | 'status' | 'dryRun' | 'amounts'> {
  const { fund, cutOffDate, callNumber, distributionKind, principalSplit, investment, trailingDescription } = form;
  const { recallableDistribution, operationalExpenses, fundLevel, capitalGains, basis, vat } = form;
  return {
    fund,
    cutOffDate,
    callNumber,
    distributionKind,
    trailingDescription,
    principal: {
      sum:
        principalSplit === 'waterfall'
          ? subtract(form.principal ?? '0', profitOf(form.components))
          : (form.principal ?? '0'),
      currency,
    },
    principalSplit,
    investment: investment ?? null,
    components: form.components.map((one) => ({
      ...one,
      amount: one.amount === undefined ? null : { sum: one.amount, currency },
    })),
    callPurposes: [],
    pdfOptions: { recallableDistribution, operationalExpenses, fundLevel, capitalGains, basis, vat: vat ?? null },
  };
}

/** What a distribution by the waterfall holds at first: what the proceeds may consist of, and the carry. */
export const WATERFALL_ENTRY = {
  distributionKind: 'Interest and Principal',
  principalSplit: 'waterfall',
  components: [
    { title: 'Income', actionType: 'INTEREST', split: 'waterfall' },
    { title: 'Gain', actionType: 'CG', split: 'waterfall' },
    { title: 'Carried interest', actionType: 'CG FEES', split: 'waterfall' },
  ],
} as const;

/** A draft distribution that is changed. */
export const distributionChangeForm = distributionForm.safeExtend(changeShape);
export const distributionChangeFormDescription = describeForm(distributionChangeForm);

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
