import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { ratePercentSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { commitmentSumSchema } from '@tapeline/domain/facilities/terms.schema.ts';
import {
  LOAN_TYPES,
  type TransactionInput,
  transactionNoteSchema,
  transactionSchema,
} from '@tapeline/domain/facilities/transaction.schema.ts';
import { currencySchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';

const { shape } = transactionSchema;

/** The form for a first facility. Its limits are those of the transaction that it creates. */
export const facilitySchema = z.object({
  title: shape.title,
  company: z.string('Choose a company').pipe(shape.company),
  loanType: z.enum(LOAN_TYPES),
  industry: shape.industries.element,
  noteTitle: transactionNoteSchema.shape.title,
  currency: currencySchema,
  commitment: z
    .string('is required')
    // Accepts thousands separators in well-formed groups only: 1,5 is an error and never 15.
    .transform((text): string | number => {
      const written = text.trim();
      return /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(written) ? written.replaceAll(',', '') : written;
    })
    .pipe(commitmentSumSchema),
  contractSigning: calendarDateSchema,
  maturity: calendarDateSchema,
});

/** One note with one active tranche for the whole commitment. */
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

/** The form field that a path of `facilityOf` comes from. */
export function facilityFieldOf(path: readonly PropertyKey[]): string {
  const names = path.map(String);
  const last = names.at(-1) ?? '';
  if (names.includes('commitments')) return last === 'currency' ? 'currency' : 'commitment';
  if (names.includes('timeline')) return last === 'contractSigning' ? last : 'maturity';
  if (names[0] === 'industries') return 'industry';
  if (names[0] === 'type') return 'loanType';
  if (names[0] !== 'notes') return names[0] ?? 'title';
  return last === 'mainCurrency' ? 'currency' : 'noteTitle';
}

/** The form for a note's first contract, which starts as an empty draft. */
export const firstContractSchema = z.object({
  note: idSchema,
  cutOffDate: calendarDateSchema,
  assetsETL: z.string('Choose a mapping').pipe(idSchema),
  defaultRate: z.number('Enter a rate in percent').pipe(ratePercentSchema),
});

/** The form field that a path of the first contract comes from. */
export const firstContractFieldOf = (path: readonly PropertyKey[]): string =>
  path[0] === 'advanceRate' ? 'defaultRate' : String(path[0] ?? 'cutOffDate');
