import { amendedTermsSchema } from '@tapeline/domain/amendments/amendment.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { choiceSchema, percentageSchema } from '@tapeline/domain/documents/number.schema.ts';
import { MAX_TITLE, optionalNameSchema } from '@tapeline/domain/documents/text.schema.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import {
  defaultEventSchema,
  defaultEventsOf,
  fixedGridSchema,
  gridTestSchema,
  monthRangeSchema,
  requireFeeBasis,
  requireTierBasis,
  spreadGridSchema,
} from '@tapeline/domain/facilities/pricing.schema.ts';
import {
  commitmentsOf,
  dateRangeSchema,
  drawLimitsSchema,
  type NoteTerms,
  rateRangeSchema,
  requireCustomDates,
  requireFeeRate,
  transactionFeeSchema,
  transactionInterestSchema,
  transactionTermsSchema,
  warrantSchema,
} from '@tapeline/domain/facilities/terms.schema.ts';
import { currencySchema, moneySchema } from '@tapeline/domain/money/amount.schema.ts';
import { toNumber } from '@tapeline/domain/money/decimal.ts';
import { z } from 'zod';
import { optionalGroup, withoutBlanks } from '../../../../components/forms/blank.ts';

/** Codes of currencies, separated by spaces or commas. */
export const currencyCodesSchema = z
  .string()
  .max(1000, 'At most 1,000 characters')
  .default('')
  .transform((text, context) => {
    const codes = text
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter(Boolean);
    const wrong = codes.find((code) => !currencySchema.safeParse(code).success);
    if (wrong === undefined) return codes.length === 0 ? null : codes;
    context.addIssue({ code: 'custom', message: `${wrong.slice(0, 10)} is not a currency code, for example EUR` });
    return z.NEVER;
  });

const { commitments, timeline } = transactionTermsSchema.shape;

const [fixed, floating] = transactionInterestSchema.options;
const gridForm = (tiers: typeof spreadGridSchema.shape.tiers) =>
  optionalGroup(
    z
      .object({ test: optionalGroup(gridTestSchema, 'daysAfter'), tiers: withoutBlanks(tiers) })
      .superRefine(requireTierBasis),
  );
export const interestForm = z.preprocess(
  (value) => ((value as { kind?: string } | undefined)?.kind ? value : null),
  z
    .discriminatedUnion('kind', [
      fixed.extend({ pricingGrid: gridForm(fixedGridSchema.shape.tiers) }),
      floating.extend({
        numberRange: optionalGroup(rateRangeSchema),
        pricingGrid: gridForm(spreadGridSchema.shape.tiers),
      }),
    ])
    .nullable(),
);

/** The rate is per cent unless a currency is chosen. */
const feeForm = z
  .object({
    ...transactionFeeSchema.shape,
    rate: z
      .object({ sum: moneySchema, currency: currencySchema.nullish() })
      .transform(({ sum, currency }) => (currency ? { sum, currency } : toNumber(sum)))
      .superRefine(requireFeeRate),
    payee: optionalGroup(
      z
        .object({ entity: idSchema.nullish(), name: optionalNameSchema(MAX_TITLE) })
        .transform(({ entity, name }, context) => {
          if (entity && name) {
            context.addIssue({ code: 'custom', path: ['name'], message: 'Choose an entity or enter a name, not both' });
            return z.NEVER;
          }
          return entity ? { entity } : { name: name ?? '' };
        }),
    ),
    dateRangeType: optionalGroup(transactionFeeSchema.shape.dateRangeType.unwrap().unwrap()),
    dateRange: optionalGroup(dateRangeSchema),
    months: optionalGroup(monthRangeSchema),
  })
  .superRefine(requireCustomDates)
  .superRefine(requireFeeBasis);

const warrant = warrantSchema.shape;
const warrantForm = warrantSchema.extend({
  outstandingIssuedValue: optionalGroup(warrant.outstandingIssuedValue.unwrap().unwrap(), 'currency'),
  totalExercisePrice: optionalGroup(warrant.totalExercisePrice.unwrap().unwrap(), 'currency'),
  holdingValue: optionalGroup(warrant.holdingValue.unwrap().unwrap(), 'currency'),
  actual: optionalGroup(
    z
      .object({ kind: choiceSchema(['future', 'actual']), percentage: percentageSchema.nullish() })
      .transform(({ kind, percentage }, context) => {
        if (kind === 'actual') return { kind, actual: true };
        if (percentage != null) return { kind, percentage };
        context.addIssue({ code: 'custom', path: ['percentage'], message: REQUIRED });
        return z.NEVER;
      }),
  ),
});

const draw = drawLimitsSchema.shape.draw.unwrap().unwrap();
const prefunding = drawLimitsSchema.shape.prefunding.unwrap().unwrap();
const recycling = drawLimitsSchema.shape.recycling.unwrap().unwrap();
const limits = {
  amountRange: optionalGroup(draw.shape.amountRange.unwrap().unwrap(), 'currency'),
  frequency: optionalGroup(draw.shape.frequency.unwrap().unwrap(), 'interval'),
  dueDateLimit: optionalGroup(draw.shape.dueDateLimit.unwrap().unwrap()),
};
/** A group of limits none of which was given is missing. */
const given = <Limit extends object>(limit: Limit): Limit | null =>
  Object.values(limit).every((value) => value == null) ? null : limit;

const drawLimitsForm = z
  .object({
    draw: draw.extend(limits).transform(given),
    prefunding: prefunding
      .extend({
        ...limits,
        defaultAmount: optionalGroup(prefunding.shape.defaultAmount.unwrap().unwrap(), 'currency'),
        maxAmount: optionalGroup(prefunding.shape.maxAmount.unwrap().unwrap(), 'currency'),
      })
      .transform(given),
    recycling: recycling
      .extend({
        ...limits,
        maxCollectionAccount: optionalGroup(recycling.shape.maxCollectionAccount.unwrap().unwrap(), 'currency'),
        maxAmount: optionalGroup(recycling.shape.maxAmount.unwrap().unwrap(), 'currency'),
      })
      .transform(given),
  })
  .transform(given);

const commitmentForm = commitments.element.extend({ additionalCurrencies: currencyCodesSchema });
const shared = {
  interest: interestForm,
  fees: withoutBlanks(z.array(feeForm).max(50, 'Terms have at most 50 fees'), 'frequency'),
  warrants: withoutBlanks(z.array(warrantForm).max(100, 'Terms have at most 100 warrants')),
  drawLimits: drawLimitsForm,
  defaultEvents: withoutBlanks(defaultEventsOf(defaultEventSchema)).transform((events) =>
    events.length > 0 ? events : null,
  ),
  maxBaseAgeDays: transactionTermsSchema.shape.maxBaseAgeDays,
};

/** The terms of a tranche in a form. Names and limits are those of the document. */
export const trancheTermsForm = z.object({
  ...shared,
  commitments: withoutBlanks(commitmentsOf(commitmentForm)),
  timeline,
});

/** The terms of a note, which its tranches may override: everything may be missing. */
export const noteTermsForm = z.object({
  ...shared,
  commitments: withoutBlanks(z.array(commitmentForm).max(200, 'Terms have at most 200 commitments')),
  timeline: optionalGroup(timeline),
});

/** The terms that an amendment changes: without warrants, signings and events of default. */
export const amendedTermsForm = noteTermsForm
  .omit({ warrants: true, defaultEvents: true })
  .extend({ timeline: amendedTermsSchema.shape.timeline.unwrap().default({}) });

/** The lists of the terms that `act` edits without JavaScript. */
export const TERMS_LISTS = [
  'terms.commitments',
  'terms.fees',
  'terms.warrants',
  'terms.interest.pricingGrid.tiers',
  'terms.defaultEvents',
];

/** Terms as the form shows them. */
export function shownTerms(terms: NoteTerms | null | undefined) {
  const { commitments: stored, fees, ...rest } = terms ?? {};
  return {
    ...rest,
    commitments: (stored ?? []).map(({ amount, additionalCurrencies }) => ({
      amount,
      additionalCurrencies: (additionalCurrencies ?? []).join(', '),
    })),
    fees: (fees ?? []).map(({ rate, onPrepayment, ...fee }) => ({
      ...fee,
      onPrepayment: onPrepayment ? 'on' : '',
      rate: typeof rate === 'number' ? { sum: String(rate) } : rate,
    })),
  };
}

/** The terms of a note that its form describes. Without any, the note has no terms of its own. */
export function noteTermsOf(form: z.output<typeof noteTermsForm>): NoteTerms | null {
  const { commitments: given, ...terms } = form;
  const isEmpty =
    given.length + terms.fees.length + terms.warrants.length === 0 &&
    terms.interest === null &&
    terms.timeline === null &&
    terms.drawLimits === null &&
    terms.defaultEvents === null &&
    terms.maxBaseAgeDays == null;
  if (isEmpty) return null;
  const { timeline: dates, ...others } = terms;
  return { ...others, ...(given.length > 0 ? { commitments: given } : {}), ...(dates ? { timeline: dates } : {}) };
}
