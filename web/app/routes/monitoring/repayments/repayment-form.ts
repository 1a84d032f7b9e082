import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import { currencySchema } from '@tapeline/domain/money/amount.schema.ts';
import { REPAYMENT_KINDS, repaymentCreateSchema } from '@tapeline/domain/repayments/repayment.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';
import { versionField } from '../../../components/forms/version-field.ts';

const sum = z.string().max(100).optional();

/** The form: one row for each currency, where an empty field pays nothing. */
export const repaymentFormSchema = z.object({
  transaction: idSchema,
  noteTitle: repaymentCreateSchema.shape.noteTitle,
  cutOffDate: calendarDateSchema,
  scheduled: z.boolean().default(false),
  amounts: z.array(z.object({ currency: currencySchema, principal: sum, interest: sum, fees: sum })).max(30),
});
export const repaymentFormDescription = describeForm(repaymentFormSchema);
export type RepaymentForm = z.infer<typeof repaymentFormSchema>;

/** The parts that were filled in, each with the name of its field. */
export function partsOf({ amounts }: RepaymentForm): {
  field: string;
  kind: (typeof REPAYMENT_KINDS)[number];
  amount: { sum: string; currency: string };
}[] {
  return amounts.flatMap((row, index) =>
    REPAYMENT_KINDS.flatMap((kind) => {
      const entered = row[kind]?.replaceAll(',', '').trim();
      return entered
        ? [{ field: `amounts[${index}].${kind}`, kind, amount: { sum: entered, currency: row.currency } }]
        : [];
    }),
  );
}

export const removalSchema = z.object({
  removalReason: z
    .string(REQUIRED)
    .trim()
    .min(1, { message: REQUIRED })
    .max(4000, { message: 'At most 4000 characters' }),
  repaymentVersion: versionField,
});
