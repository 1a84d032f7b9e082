import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { MAX_TEXT, optionalTextSchema } from '@tapeline/domain/documents/text.schema.ts';
import { limitsOf } from '@tapeline/domain/draws/check-rules.ts';
import { attachmentsOf, DRAW_TYPES, type DrawCreate, NO_AMOUNT } from '@tapeline/domain/draws/draw.schema.ts';
import { commitmentsInForce, commitmentTermsInForce, termsInForce } from '@tapeline/domain/facilities/in-force.ts';
import type { NoteWithoutContracts } from '@tapeline/domain/facilities/transaction.schema.ts';
import { currencySchema, positiveSchema } from '@tapeline/domain/money/amount.schema.ts';
import { formatAmount } from '@tapeline/domain/money/format-figure.ts';
import { z } from 'zod';
import { writtenAmount } from '../../../components/figures/format.ts';
import { describeForm } from '../../../components/forms/describe-form.ts';

/** Amounts of one form. The API takes more. */
export const MAX_DRAW_AMOUNTS = 60;

/** An amount that was left empty is not requested. */
const lineSchema = z.object({
  type: z.enum(DRAW_TYPES),
  sum: z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? undefined : value),
    positiveSchema.optional(),
  ),
  currency: currencySchema,
});

export const drawFormSchema = z.object({
  note: z.string().min(1),
  drawVersion: z.coerce.number().int().optional(),
  cutOffDate: calendarDateSchema,
  dueDate: calendarDateSchema,
  lines: z
    .array(lineSchema)
    .max(MAX_DRAW_AMOUNTS)
    .refine((lines) => lines.some(({ sum }) => sum !== undefined), NO_AMOUNT),
  description: optionalTextSchema(MAX_TEXT),
  files: z.unknown().optional(),
  attachments: attachmentsOf(z.object({ key: z.string().max(1024), name: z.string().max(255).optional() })).default([]),
  refused: z.array(z.string()).default([]),
});
export const drawFormDescription = describeForm(drawFormSchema);

export type DrawForm = z.output<typeof drawFormSchema>;

const LABELS: Readonly<Record<string, string>> = {
  note: 'Note',
  cutOffDate: 'Cut-off date',
  dueDate: 'Due date',
  lines: 'Amounts',
  description: 'Note to the lender',
  files: 'Documents',
  attachments: 'Documents',
};
const LINE_LABELS: Readonly<Record<string, string>> = { type: 'Draw type', sum: 'Amount', currency: 'Currency' };

/** "Amount 2, Draw type" for `lines[1].type`. */
export function drawLabel(name: string): string | undefined {
  const [, index, part = ''] = /^lines\[(\d+)\]\.(\w+)$/.exec(name) ?? [];
  return index === undefined ? LABELS[name] : `Amount ${Number(index) + 1}, ${LINE_LABELS[part] ?? part}`;
}

/** The amounts of the form by draw type, as the operation takes them. */
export function drawsOfForm({ lines }: Pick<DrawForm, 'lines'>): DrawCreate['draws'] {
  return DRAW_TYPES.flatMap((type) => {
    const amounts = lines.flatMap((line) =>
      line.type === type && line.sum !== undefined ? [{ sum: line.sum, currency: line.currency }] : [],
    );
    return amounts.length > 0 ? [{ type, amounts }] : [];
  });
}

/**
 * A line of the form for each draw type that the terms limit, or else a regular one; a default amount of the terms is
 * filled in. Other types can be added.
 */
export function linesOfNote(note: NoteWithoutContracts): { type: string; sum: string; currency: string }[] {
  const terms = termsInForce(note);
  const currency = commitmentsInForce(note)?.currency ?? '';
  const limited = DRAW_TYPES.filter((type) => limitsOf(terms, type));
  return (limited.length > 0 ? limited : DRAW_TYPES.slice(0, 1)).map((type) => {
    const amount = limitsOf(terms, type)?.defaultAmount;
    return { type, sum: amount?.sum ?? '', currency: amount?.currency ?? currency };
  });
}

/** The currencies that the note may be drawn in. */
export const currenciesOfNote = (note: NoteWithoutContracts): string[] => [
  ...new Set(
    commitmentTermsInForce(note).flatMap(({ amount, additionalCurrencies }) => [
      amount.currency,
      ...(additionalCurrencies ?? []),
    ]),
  ),
];

/** A limit of a draw type, in words. */
export interface LimitWords {
  type: string;
  limits: { label: string; value: string }[];
}

const money = (sum: string, currency: string): string => writtenAmount({ sum, currency });

/** The limits of each draw type in the terms in force, for the page that requests a draw. */
export function limitsInWords(note: NoteWithoutContracts): LimitWords[] {
  const terms = termsInForce(note);
  return DRAW_TYPES.flatMap((type) => {
    const limits = limitsOf(terms, type);
    if (!limits) return [];
    const { amountRange: range, frequency, dueDateLimit: due, maxPercentage, maxAmount, maxCollectionAccount } = limits;
    const words = [
      ...(range
        ? [
            {
              label: 'One draw',
              value: `${formatAmount({ sum: range.min, currency: range.currency })} to ${money(range.max, range.currency)}`,
            },
          ]
        : []),
      ...(frequency
        ? [
            {
              label: 'Frequency',
              value: `${frequency.limit}, ${frequency.interval === 'Annualy' ? 'annually' : frequency.interval.toLowerCase()}`,
            },
          ]
        : []),
      ...(due ? [{ label: 'Due date', value: `${due.min} to ${due.max} days after the cut-off date` }] : []),
      ...(maxPercentage == null ? [] : [{ label: 'Outstanding', value: `at most ${maxPercentage}% of commitments` }]),
      ...(maxAmount ? [{ label: 'Outstanding', value: `at most ${money(maxAmount.sum, maxAmount.currency)}` }] : []),
      ...(maxCollectionAccount
        ? [
            {
              label: 'Collection account',
              value: `at most ${money(maxCollectionAccount.sum, maxCollectionAccount.currency)}`,
            },
          ]
        : []),
    ];
    return words.length > 0 ? [{ type, limits: words }] : [];
  });
}
