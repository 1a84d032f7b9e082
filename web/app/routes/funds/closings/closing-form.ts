import { closingShape, DUE_FROM_CLOSING } from '@tapeline/domain/closings/closing.schema.ts';
import {
  equalizationTermsSchema,
  type StoredEqualizationTerms,
} from '@tapeline/domain/closings/equalization-terms.schema.ts';
import type { InvestorReference } from '@tapeline/domain/commitments/investor.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { classKeySchema } from '@tapeline/domain/funds/fund.schema.ts';
import { positiveSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { withoutBlanks } from '../../../components/forms/blank.ts';
import { describeForm } from '../../../components/forms/describe-form.ts';

/** Rows of one form. */
export const MAX_ENTRANTS = 100;

/** "LP/…" or "fund/…". */
const investorSchema = z.string({ error: 'Choose an investor' }).regex(/^(LP|fund)\/[0-9a-f]+$/, 'Choose an investor');
export const investorOfValue = (value: string): InvestorReference => {
  const [kind, id = ''] = value.split('/');
  return { id, kind: kind === 'fund' ? 'fund' : 'LP' };
};

const entrants = withoutBlanks(
  z
    .array(z.object({ investor: investorSchema, Class: classKeySchema.optional(), amount: positiveSchema }))
    .min(1, { message: 'Enter at least one investor' })
    .max(MAX_ENTRANTS, { message: `At most ${MAX_ENTRANTS} investors` }),
);

export const YES_NO = { yes: 'Yes', no: 'No' } as const;
const yesNo = z.enum(['yes', 'no']);
const terms = equalizationTermsSchema.shape;

const shape = {
  ...closingShape,
  investors: entrants,
  /** The commitment whose fees new investors have. */
  feesOf: idSchema.optional(),
  ratePercent: terms.ratePercent,
  dayCount: terms.dayCount,
  compounding: terms.compounding,
  feeInterestTo: terms.feeInterestTo,
  feesFromFirstClosing: yesNo,
  recallable: yesNo,
};

/** All of it. */
export const closingForm = z.object(shape).refine(...DUE_FROM_CLOSING);
export const closingFormDescription = describeForm(closingForm);
export type ClosingForm = z.output<typeof closingForm>;

/** Before the terms are entered. */
export const closingFirstStep = z
  .object({ ...shape, ratePercent: shape.ratePercent.optional() })
  .refine(...DUE_FROM_CLOSING);
export const closingFirstStepDescription = describeForm(closingFirstStep);

export const equalizationOfForm = (form: ClosingForm): StoredEqualizationTerms => ({
  ratePercent: form.ratePercent,
  dayCount: form.dayCount,
  compounding: form.compounding,
  feeInterestTo: form.feeInterestTo,
  feesFromFirstClosing: form.feesFromFirstClosing === 'yes',
  recallable: form.recallable === 'yes',
});

const LABELS: Readonly<Record<string, string>> = {
  title: 'Name of the closing',
  closingDate: 'Closing date',
  dueDate: 'Due date',
  callNumber: 'Number of the call',
  distributionNumber: 'Number of the distribution',
  investors: 'Investor',
  feesOf: 'Fees of new investors',
  ratePercent: 'Interest',
};

/** "Investor 2, commits at this closing" for `investors[1].amount`. */
export function closingLabel(name: string): string | undefined {
  const row = /^investors\[(\d+)\]\.(\w+)$/.exec(name);
  if (!row) return LABELS[name];
  const field =
    { investor: 'Investor', Class: 'Class', amount: 'Commits at this closing' }[row[2] ?? ''] ??
    'Commits at this closing';
  return field === 'Investor'
    ? `Investor ${Number(row[1]) + 1}`
    : `Investor ${Number(row[1]) + 1}, ${field.toLowerCase()}`;
}
