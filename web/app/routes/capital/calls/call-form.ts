import { MOST_LINES } from '@tapeline/domain/capital/capital-document.ts';
import { CALL_PURPOSE_KINDS, callNumberSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { MOST_TEXT, nameSchema, optionalTextSchema } from '@tapeline/domain/documents/text.schema.ts';
import { classKeySchema } from '@tapeline/domain/funds/fund.schema.ts';
import { notNegativeSchema, positiveSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { withoutBlanks } from '../../../components/forms/blank.ts';
import { changeShape } from '../draft-change.ts';

export const KIND_CHOICES = [
  { value: 'investments', label: 'Investments' },
  { value: 'managementFee', label: 'Management fee' },
  { value: 'successFee', label: 'Success fee' },
  { value: 'fundExpenses', label: 'Fund expenses' },
  { value: 'other', label: 'Other' },
] as const satisfies readonly { value: (typeof CALL_PURPOSE_KINDS)[number]; label: string }[];

const purpose = z.object({
  title: nameSchema(1, 150),
  kind: z.enum(CALL_PURPOSE_KINDS),
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
    percentage: z.coerce
      .number({ error: 'must be a number' })
      .gt(0, { message: 'must be above 0' })
      .max(100, { message: 'must be at most 100' })
      .optional(),
    callPurposes: withoutBlanks(
      z
        .array(purpose)
        .min(1, { message: 'Enter at least one purpose' })
        .max(MOST_LINES, { message: `At most ${MOST_LINES} purposes` }),
      // A kind is always chosen.
      'kind',
    ),
    trailingDescription: optionalTextSchema(MOST_TEXT),
    fundLevel: z.boolean().default(false),
  })
  .refine(({ amount, percentage }) => (amount === undefined) !== (percentage === undefined), {
    path: ['amount'],
    message: 'Enter either an amount or a percentage',
  })
  .refine(({ cutOffDate, dueDate }) => dueDate >= cutOffDate, {
    path: ['dueDate'],
    message: 'must not be before the cut-off date',
  })
  .superRefine(({ callPurposes }, context) => {
    const empty = callPurposes.flatMap(({ amount }, place) => (amount === undefined ? [place] : []));
    for (const place of empty.slice(1)) {
      context.addIssue({
        code: 'custom',
        path: ['callPurposes', place, 'amount'],
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
