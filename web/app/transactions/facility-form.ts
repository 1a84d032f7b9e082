import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { LOAN_TYPES, type TransactionInput } from '@tapeline/domain/facilities/transaction.schema.ts';
import { currencySchema, decimalSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';

const required = z.string('is required').trim().min(1, 'is required').max(250);

/** The form of a first facility. What the fields mean is judged by the transaction's own schema once more. */
export const facilitySchema = z.object({
  title: required,
  company: z.string('Choose a company').length(24, 'Choose a company'),
  loanType: z.enum(LOAN_TYPES),
  industry: required,
  noteTitle: required,
  currency: currencySchema,
  commitment: z
    .string('is required')
    // Thousands separators in well-formed groups only: 1,5 is a fault and never 15.
    .transform((text): string | number => {
      const written = text.trim();
      return /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(written) ? written.replaceAll(',', '') : written;
    })
    .pipe(decimalSchema),
  contractSigning: calendarDateSchema,
  maturity: calendarDateSchema,
});

/** One note with one active tranche of the whole commitment. */
export const facilityOf = (form: z.output<typeof facilitySchema>): TransactionInput => ({
  title: form.title,
  type: { kind: 'debt', loanType: form.loanType },
  industries: [form.industry],
  company: form.company,
  notes: [
    {
      title: form.noteTitle,
      mainCurrency: form.currency,
      tranches: [
        {
          sequence: 1,
          sequenceActivated: true,
          title: 'Tranche 1',
          type: 'ROFR',
          terms: {
            commitments: [{ amount: { sum: form.commitment, currency: form.currency } }],
            timeline: { contractSigning: form.contractSigning, maturity: form.maturity },
          },
        },
      ],
    },
  ],
});

/** The form of a note's first contract: it begins empty, as a draft. */
export const firstContractSchema = z.object({
  note: z.string().length(24),
  cutOffDate: calendarDateSchema,
  assetsETL: z.string('Choose a mapping').length(24, 'Choose a mapping'),
  defaultRate: z.coerce
    .number('Write a rate in per cent')
    .min(0, 'An advance rate is between 0 and 100 %')
    .max(100, 'An advance rate is between 0 and 100 %'),
});
