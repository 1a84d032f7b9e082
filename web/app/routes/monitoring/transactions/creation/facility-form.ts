import { choiceSchema } from '@tapeline/domain/documents/number.schema.ts';
import { REQUIRED } from '@tapeline/domain/errors/required.ts';
import { commitmentSumSchema, timelineSchema } from '@tapeline/domain/facilities/terms.schema.ts';
import {
  EQUITY_TYPE,
  notePrioritySchema,
  notesOf,
  requireDistinctTitles,
  TRANSACTION_TYPES,
  type TransactionInput,
  transactionNoteSchema,
  transactionSchema,
} from '@tapeline/domain/facilities/transaction.schema.ts';
import { currencySchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { optionalGroup, withoutBlanks } from '../../../../components/forms/blank.ts';
import { describeForms } from '../../../../components/forms/describe-form.ts';
import { interestForm } from '../forms/terms-form.ts';

export const STEPS = ['deal', 'notes', 'terms', 'timeline', 'review'] as const;
export type Step = (typeof STEPS)[number];
export const STEP_LABELS: Readonly<Record<Step, string>> = {
  deal: 'Type and borrower',
  notes: 'Notes',
  terms: 'Commitments and interest',
  timeline: 'Timeline',
  review: 'Review',
};
/** Notes that are created at once; more are added to the stored transaction. */
export const MAX_FIRST_NOTES = 10;

const { shape } = transactionSchema;

const deal = {
  title: shape.title,
  company: z.string('Choose a borrower').pipe(shape.company),
  type: choiceSchema(TRANSACTION_TYPES),
  industries: withoutBlanks(shape.industries),
};
const noteOfStep = {
  deal: {},
  notes: {
    title: transactionNoteSchema.shape.title,
    currency: currencySchema,
    priority: optionalGroup(notePrioritySchema),
  },
  terms: {
    commitment: z
      .string(REQUIRED)
      // Accepts thousands separators in well-formed groups only: 1,5 is an error and never 15.
      .transform((text): string | number => {
        const written = text.trim();
        return /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(written) ? written.replaceAll(',', '') : written;
      })
      .pipe(commitmentSumSchema),
    interest: interestForm,
  },
  timeline: { timeline: timelineSchema },
  review: {},
} as const;

const firstNotesOf = <Shape extends z.ZodRawShape>(note: Shape) =>
  notesOf(z.object(note))
    .max(MAX_FIRST_NOTES, `Create at most ${MAX_FIRST_NOTES} notes at once`)
    .superRefine((notes, context) => requireDistinctTitles(notes as { title?: string }[], context));

/** The whole form. Its limits are those of the transaction that it creates. */
export const facilitySchema = z
  .object({ ...deal, notes: firstNotesOf({ ...noteOfStep.notes, ...noteOfStep.terms, ...noteOfStep.timeline }) })
  .superRefine(({ type, notes }, context) => {
    if (type === EQUITY_TYPE) return;
    for (const [index, { timeline }] of notes.entries()) {
      if (!timeline.maturity)
        context.addIssue({ code: 'custom', path: ['notes', index, 'timeline', 'maturity'], message: REQUIRED });
    }
  });

/** What a step requires: its own fields and those before it. */
export const SCHEMA_OF_STEP = {
  deal: z.object(deal),
  notes: z.object({ ...deal, notes: firstNotesOf(noteOfStep.notes) }),
  terms: z.object({ ...deal, notes: firstNotesOf({ ...noteOfStep.notes, ...noteOfStep.terms }) }),
  timeline: facilitySchema,
  review: facilitySchema,
} as const satisfies Record<Step, z.ZodObject>;
export const STEP_DESCRIPTIONS = describeForms(SCHEMA_OF_STEP);

/** The transaction that the form describes: each note with one active tranche for its whole commitment. */
export const facilityOf = (form: z.output<typeof facilitySchema>): TransactionInput => ({
  title: form.title,
  type: form.type === EQUITY_TYPE ? { kind: 'equity', equityType: EQUITY_TYPE } : { kind: 'debt', loanType: form.type },
  industries: form.industries,
  company: form.company,
  notes: form.notes.map(({ title, currency, priority, commitment, interest, timeline }) => ({
    title,
    mainCurrency: currency,
    priority,
    tranches: [
      {
        sequence: 1,
        sequenceActivated: true,
        title: 'Tranche A',
        type: 'ROFR',
        terms: { commitments: [{ amount: { sum: commitment, currency } }], interest, timeline },
      },
    ],
  })),
});

/** The form field that a path of `facilityOf` comes from. */
export function facilityFieldOf(path: readonly PropertyKey[]): string {
  const [first = 'title', place, ...rest] = path.map(String);
  if (first === 'industries') return place === undefined ? first : `industries[${place}]`;
  if (first !== 'notes') return first;
  if (place === undefined) return 'notes';
  const at = `notes[${place}]`;
  const field = rest.indexOf('terms');
  const [group, ...names] = field < 0 ? rest : rest.slice(field + 1);
  if (group === 'commitments') return names.at(-1) === 'currency' ? `${at}.currency` : `${at}.commitment`;
  if (group === 'mainCurrency') return `${at}.currency`;
  return [at, group ?? 'title', ...names].join('.');
}
