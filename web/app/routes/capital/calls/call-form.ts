import {
  callNumberSchema,
  callPercentageSchema,
  callPurposesOf,
  DUE_AFTER_CUT_OFF,
  dividedPurposeShape,
  withPurposeRules,
} from '@tapeline/domain/capital/contribution.schema.ts';
import { isSummed } from '@tapeline/domain/capital/own-amounts.schema.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { MAX_TEXT, optionalTextSchema } from '@tapeline/domain/documents/text.schema.ts';
import { classKeySchema } from '@tapeline/domain/funds/fund.schema.ts';
import { notNegativeSchema, positiveSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { withoutBlanks } from '../../../components/forms/blank.ts';
import { describeForm } from '../../../components/forms/describe-form.ts';
import { changeShape } from '../draft-change.ts';
import { ownShape } from '../own-amounts.ts';

const purpose = withPurposeRules(
  z.object({
    ...dividedPurposeShape,
    /** Empty for the one purpose that takes the rest, and for one that its parts add up to. */
    amount: notNegativeSchema.optional(),
  }),
);

export const callForm = z
  .object({
    fund: idSchema,
    Class: classKeySchema.optional(),
    cutOffDate: calendarDateSchema,
    dueDate: calendarDateSchema,
    callNumber: callNumberSchema,
    amount: positiveSchema.optional(),
    percentage: callPercentageSchema.optional(),
    callPurposes: withoutBlanks(
      callPurposesOf(purpose),
      // A kind and a rule are always chosen.
      'kind',
      'split',
    ),
    trailingDescription: optionalTextSchema(MAX_TEXT),
    fundLevel: z.boolean().default(false),
    basis: z.boolean().default(false),
    ...ownShape,
  })
  .refine(
    ({ amount, percentage, callPurposes }) =>
      callPurposes.some(isSummed) ? percentage === undefined : (amount === undefined) !== (percentage === undefined),
    { path: ['amount'], message: 'Enter either an amount or a percentage' },
  )
  .refine(...DUE_AFTER_CUT_OFF)
  .superRefine(({ callPurposes }, context) => {
    const empty = callPurposes.flatMap((one, index) => (one.amount === undefined && !isSummed(one) ? [index] : []));
    // What is left for the rest is known once all others are.
    const most = callPurposes.some((one) => one.amount === undefined && isSummed(one)) ? 0 : 1;
    for (const index of empty.slice(most)) {
      context.addIssue({
        code: 'custom',
        path: ['callPurposes', index, 'amount'],
        message: most === 0 ? 'Enter an amount' : 'Only one purpose can take the rest. Enter an amount',
      });
    }
  });
export const callFormDescription = describeForm(callForm);

export type CallForm = z.output<typeof callForm>;

/** A draft call that is changed. */
export const callChangeForm = callForm.safeExtend(changeShape);
export const callChangeFormDescription = describeForm(callChangeForm);

/** The entered values as the form's fields hold them. */
export const enteredCall = ({
  percentage,
  fundLevel,
  basis,
  adjusting: _,
  undo: __,
  cancel: ___,
  discardOwn: ____,
  ...form
}: CallForm) => ({
  ...form,
  ...(percentage === undefined ? {} : { percentage: String(percentage) }),
  ...(fundLevel ? { fundLevel: 'on' } : {}),
  ...(basis ? { basis: 'on' } : {}),
});

/** The field of a path that an operation reports. */
export const callField = (form: CallForm, path: string): string => {
  if (path === 'amount' || path === 'percentage') return form.amount === undefined ? 'percentage' : 'amount';
  return path;
};
