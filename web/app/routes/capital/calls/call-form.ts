import {
  callNumberSchema,
  callPercentageSchema,
  callPurposesOf,
  DUE_AFTER_CUT_OFF,
  purposeShape,
} from '@tapeline/domain/capital/contribution.schema.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { MAX_TEXT, optionalTextSchema } from '@tapeline/domain/documents/text.schema.ts';
import { classKeySchema } from '@tapeline/domain/funds/fund.schema.ts';
import { notNegativeSchema, positiveSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { withoutBlanks } from '../../../components/forms/blank.ts';
import { changeShape } from '../draft-change.ts';

const purpose = z.object({
  ...purposeShape,
  /** Empty for the one purpose that takes the rest. */
  amount: notNegativeSchema.optional(),
});

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
      // A kind is always chosen.
      'kind',
    ),
    trailingDescription: optionalTextSchema(MAX_TEXT),
    fundLevel: z.boolean().default(false),
  })
  .refine(({ amount, percentage }) => (amount === undefined) !== (percentage === undefined), {
    path: ['amount'],
    message: 'Enter either an amount or a percentage',
  })
  .refine(...DUE_AFTER_CUT_OFF)
  .superRefine(({ callPurposes }, context) => {
    const empty = callPurposes.flatMap(({ amount }, index) => (amount === undefined ? [index] : []));
    for (const index of empty.slice(1)) {
      context.addIssue({
        code: 'custom',
        path: ['callPurposes', index, 'amount'],
        message: 'Only one purpose can take the rest. Enter an amount',
      });
    }
  });

export type CallForm = z.output<typeof callForm>;

/** A draft call that is changed. */
export const callChangeForm = callForm.safeExtend(changeShape);
export type CallChangeForm = z.output<typeof callChangeForm>;

/** The entered values as the form's fields hold them. */
export const enteredCall = ({ percentage, fundLevel, ...form }: CallForm) => ({
  ...form,
  ...(percentage === undefined ? {} : { percentage: String(percentage) }),
  ...(fundLevel ? { fundLevel: 'on' } : {}),
});

/** The field of a path that an operation reports. */
export const callField = (form: CallForm, path: string): string => {
  if (path === 'amount' || path === 'percentage') return form.amount === undefined ? 'percentage' : 'amount';
  return path;
};
