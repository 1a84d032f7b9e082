import { z } from 'zod';
import { investorReferenceSchema, investorSchema } from '../commitments/investor.schema.ts';
import { calendarDateSchema } from '../dates/calendar-date.ts';
import { documentSchema } from '../documents/document.schema.ts';
import { idSchema } from '../documents/id.schema.ts';
import { valuesOf } from '../documents/labels.ts';
import { percentageSchema } from '../documents/number.schema.ts';
import { MAX_TEXT, nameSchema, optionalTextSchema, timezoneOffsetSchema } from '../documents/text.schema.ts';
import { REQUIRED } from '../errors/required.ts';
import type { InputRule } from '../errors/rule.ts';
import { classKeySchema } from '../funds/fund.schema.ts';
import { amountOf, notNegativeSchema, wireAmountSchema } from '../money/amount.schema.ts';
import { type DecimalText, isZero } from '../money/decimal.ts';
import { MAX_LINES, newStatusSchema, noticeChangeShape, noticeShape } from './capital-document.ts';
import { callNumberSchema, purposesSchema, wirePurposesSchema } from './contribution.schema.ts';
import { DISTRIBUTION_ACTION_LABELS } from './kinds.ts';
import type { SplitRule } from './line-basis.ts';
import {
  COMPONENT_SPLIT_RULES,
  distributionAmountsSchema,
  isSummed,
  refuseUnknownTitles,
  type SplitTerms,
  splitRuleSchema,
  WATERFALL_RULES,
  wireBasisSchema,
} from './own-amounts.schema.ts';

export const DISTRIBUTION_ACTION_TYPES = valuesOf(DISTRIBUTION_ACTION_LABELS);
export const DISTRIBUTION_KINDS = ['Interest', 'Interest and Principal', 'Principal Only', 'SPV'] as const;

export const componentShape = { title: nameSchema(1, 150), actionType: z.enum(DISTRIBUTION_ACTION_TYPES) };
/** By what principal is divided: it follows from no terms. */
export const PRINCIPAL_SPLITS = [
  'commitment',
  'paidIn',
  'waterfall',
  'entered',
] as const satisfies readonly SplitRule[];

const moneySchema = amountOf(notNegativeSchema);
/** @param component what a form or a call enters for each component */
export const componentsOf = <Component extends z.ZodType>(component: Component) =>
  z.array(component).max(MAX_LINES, { message: `At most ${MAX_LINES} components` });
const componentsSchema = componentsOf(z.object({ ...componentShape, amount: moneySchema }));

/** A component of a new distribution, with the rule by which it is divided over the investors. */
export const dividedComponentShape = {
  ...componentShape,
  split: splitRuleSchema,
  /** Of a tax by each investor’s rate: that of whoever has no own one, in percent. */
  rate: percentageSchema.nullish(),
};
/** Refines a component with what must hold for the rule of a component */
export const withComponentRules = <Schema extends z.ZodType<SplitTerms & { actionType: string }>>(
  schema: Schema,
): Schema => COMPONENT_SPLIT_RULES.reduce((refined, rule) => refined.refine(...rule) as Schema, schema);
const dividedComponentSchema = withComponentRules(
  z.object({ ...dividedComponentShape, amount: moneySchema.nullish() }),
);

/** The terms of a distribution. Its principal is a sum, or an amount. */
interface DistributionKindTerms {
  readonly distributionKind: (typeof DISTRIBUTION_KINDS)[number];
  readonly principal?: DecimalText | { readonly sum: DecimalText } | undefined;
  readonly components: readonly unknown[];
}
const sumOf = (principal: DistributionKindTerms['principal']): DecimalText =>
  typeof principal === 'object' ? principal.sum : (principal ?? '0');

export const INTEREST_WITHOUT_PRINCIPAL: InputRule<DistributionKindTerms> = [
  ({ distributionKind, principal }) => distributionKind !== 'Interest' || isZero(sumOf(principal)),
  { path: ['principal'], message: 'A distribution of interest has no principal' },
];
export const PRINCIPAL_WITHOUT_COMPONENTS: InputRule<DistributionKindTerms> = [
  ({ distributionKind, components }) => distributionKind !== 'Principal Only' || components.length === 0,
  { path: ['components'], message: 'A distribution of principal only has no components' },
];

const optionsSchema = z.object({
  operationalExpenses: z.boolean().default(false),
  fundLevel: z.boolean().default(false),
  capitalGains: z.boolean().default(false),
  /** The principal can be called again. */
  recallableDistribution: z.boolean().default(false),
  /** Where each amount comes from. */
  basis: z.boolean().optional(),
  /** Rate of VAT on fees in percent. */
  vat: percentageSchema.nullish(),
});

export type DistributionOptions = z.output<typeof optionsSchema>;

/** Refines a distribution with what must hold for its waterfall. */
export const withWaterfallRules = <Schema extends z.ZodType<Parameters<(typeof WATERFALL_RULES)[number][0]>[0]>>(
  schema: Schema,
): Schema => WATERFALL_RULES.reduce((refined, rule) => refined.refine(...rule) as Schema, schema);

/** The body of a distribution: split over the investors, or for one of them. */
export const distributionCreateSchema = withWaterfallRules(
  z
    .object({
      fund: idSchema,
      Class: classKeySchema.nullish(),
      investor: investorReferenceSchema.nullish(),
      cutOffDate: calendarDateSchema,
      callNumber: callNumberSchema,
      distributionKind: z.enum(DISTRIBUTION_KINDS),
      principal: moneySchema,
      principalSplit: z.enum(PRINCIPAL_SPLITS).default('commitment').meta({
        description:
          'waterfall: principal and components by the waterfall are proceeds, which each investor’s terms divide into return of capital (the principal), profit (interest and capital gains) and the carry (one fee by the waterfall, without an amount)',
      }),
      investment: nameSchema(1, 150).nullish().meta({
        description:
          'Of proceeds by the waterfall: the investment that they are of, which is the title of a purpose of kind investments of the fund’s calls. They are shared by what was paid for it, and an investor whose terms are American has the waterfall of this investment alone',
      }),
      components: componentsOf(dividedComponentSchema).default([]).meta({
        description:
          'A tax by rate, or a component as entered or by the waterfall, needs no amount: it is what the parts add up to',
      }),
      amounts: distributionAmountsSchema.default([]),
      callPurposes: purposesSchema.default([]),
      trailingDescription: optionalTextSchema(MAX_TEXT),
      pdfOptions: optionsSchema.optional(),
      timezoneOffset: timezoneOffsetSchema,
      status: newStatusSchema,
      /** Returns the split without saving it. */
      dryRun: z.boolean().default(false),
    })
    .refine(...INTEREST_WITHOUT_PRINCIPAL)
    .refine(...PRINCIPAL_WITHOUT_COMPONENTS)
    .refine(
      ({ principal, components }) =>
        components.every(({ amount }) => !amount || amount.currency === principal.currency),
      {
        path: ['components'],
        message: 'must be in the currency of the principal',
      },
    )
    .superRefine(({ components, amounts }, context) => {
      refuseUnknownTitles(amounts, 'components', components, context);
      for (const [index, component] of components.entries()) {
        if (component.amount != null || isSummed(component)) continue;
        context.addIssue({ code: 'custom', path: ['components', index, 'amount'], message: REQUIRED });
      }
    }),
);

export type DistributionCreate = z.output<typeof distributionCreateSchema>;

/** One distribution of a bulk update, with the fields to change. Only drafts change otherwise than in status. */
export const distributionChangeSchema = z.object({
  ...noticeChangeShape,
  cutOffDate: calendarDateSchema.optional(),
  callNumber: callNumberSchema.optional(),
  distributionKind: z.enum(DISTRIBUTION_KINDS).optional(),
  principal: moneySchema.optional(),
  components: componentsSchema.optional(),
  callPurposes: purposesSchema.optional(),
  trailingDescription: optionalTextSchema(MAX_TEXT),
  pdfOptions: optionsSchema.optional(),
});

export type DistributionChange = z.output<typeof distributionChangeSchema>;

const componentListSchema = z.array(z.object({ title: z.string(), amount: wireAmountSchema }));

/** Amounts of a distribution. Those of many add up per currency. */
const amountsShape = {
  principal: wireAmountSchema,
  totalIncome: wireAmountSchema,
  totalExpense: wireAmountSchema,
  netProfit: wireAmountSchema,
  totalInterestTax: wireAmountSchema,
  netInterestAfterExpensesAndTaxes: wireAmountSchema,
  totalCg: wireAmountSchema,
  totalCgFees: wireAmountSchema,
  netCg: wireAmountSchema,
  totalCgTax: wireAmountSchema,
  netCgAfterExpensesAndTaxes: wireAmountSchema,
  totalTax: wireAmountSchema,
  totalDistributed: wireAmountSchema.meta({ description: 'principal + netProfit + netCg - totalTax' }),
};

export const distributionTotalSchema = z.object({ count: z.int(), ...amountsShape });

/** A distribution as the API returns it: one investor's part. A dry run has no id. */
export const distributionSchema = documentSchema
  .extend({
    id: z.string().optional(),
    fund: z.string(),
    investor: investorSchema,
    Class: z.string().nullable(),
    cutOffDate: z.string(),
    callNumber: z.string(),
    distributionKind: z.enum(DISTRIBUTION_KINDS),
    ...amountsShape,
    incomes: componentListSchema,
    expenses: componentListSchema,
    interestTaxes: componentListSchema,
    cg: componentListSchema,
    cgFees: componentListSchema,
    cgTaxes: componentListSchema,
    callPurposes: wirePurposesSchema,
    basis: z.array(wireBasisSchema).meta({
      description:
        'Where the principal and the amount of each component come from; empty where that is not recorded, or not shown',
    }),
    LPCurrentCommitment: wireAmountSchema,
    LPCurrentHoldingPercentage: z.number().nullable(),
    trailingDescription: z.string().nullable(),
    ...noticeShape,
    pdfOptions: optionsSchema,
    warnings: z.array(z.string()).optional(),
  })
  .meta({ id: 'Distribution' });
