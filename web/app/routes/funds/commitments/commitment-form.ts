import { newStatusSchema } from '@tapeline/domain/capital/capital-document.ts';
import { CAPITAL_TRANSITIONS } from '@tapeline/domain/capital/states.ts';
import { ACTIVE_WITHIN_MAXIMUM, commitmentDeltaSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import type { InvestorReference } from '@tapeline/domain/commitments/investor.schema.ts';
import { ONE_EXTENT, PRICE_OF_INTEREST, sharePercentSchema } from '@tapeline/domain/commitments/transfer.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { fieldLabel } from '@tapeline/domain/documents/field-labels.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import type { Reason } from '@tapeline/domain/errors/reason.ts';
import { flagsAt } from '@tapeline/domain/errors/refusal.ts';
import { type CommitmentFees, commitmentFeesSchema } from '@tapeline/domain/funds/fees.schema.ts';
import { classKeySchema } from '@tapeline/domain/funds/fund.schema.ts';
import { notNegativeSchema, positiveSchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { optionalGroup, withoutBlanks } from '../../../components/forms/blank.ts';
import { describeForm } from '../../../components/forms/describe-form.ts';
import { versionField } from '../../../components/forms/version-field.ts';

export const MAX_DELTAS = 500;

const fees = commitmentFeesSchema.shape;

const terms = {
  closingDate: calendarDateSchema,
  maxCommitment: notNegativeSchema,
  activeCommitment: notNegativeSchema.optional(),
  deltas: withoutBlanks(z.array(commitmentDeltaSchema).max(MAX_DELTAS, { message: `At most ${MAX_DELTAS} changes` })),
  fees: z.object({
    management: optionalGroup(fees.management.unwrap().unwrap()),
    success: optionalGroup(fees.success.unwrap().unwrap()),
    transaction: optionalGroup(fees.transaction.unwrap().unwrap()),
    overallCap: notNegativeSchema.optional(),
  }),
};

/** The investor of a form: an LP, or another fund. */
const investorShape = { lp: idSchema.optional(), investingFund: idSchema.optional() };
interface InvestorForm {
  lp?: string | undefined;
  investingFund?: string | undefined;
}
const hasOneInvestor = ({ lp, investingFund }: InvestorForm): boolean =>
  (lp === undefined) !== (investingFund === undefined);
const oneInvestor = { path: ['lp'], message: 'Choose either an investor or a fund that invests' };

export const investorOfForm = ({ lp, investingFund }: InvestorForm): InvestorReference =>
  lp ? { id: lp, kind: 'LP' } : { id: investingFund ?? '', kind: 'fund' };

export const newCommitmentForm = z
  .object({ ...investorShape, Class: classKeySchema.optional(), status: newStatusSchema, ...terms })
  .refine(...ACTIVE_WITHIN_MAXIMUM)
  .refine(hasOneInvestor, oneInvestor);
export const newCommitmentFormDescription = describeForm(newCommitmentForm);

export const commitmentEditForm = z
  .object({
    ...terms,
    status: z.enum(CAPITAL_TRANSITIONS.states).exclude(['Removed']),
    commitmentVersion: versionField,
  })
  .refine(...ACTIVE_WITHIN_MAXIMUM);
export const commitmentEditFormDescription = describeForm(commitmentEditForm);

export const transferForm = z
  .object({
    ...investorShape,
    date: calendarDateSchema,
    sharePercent: sharePercentSchema.optional(),
    amount: positiveSchema.optional(),
    price: notNegativeSchema.optional(),
    /** The file that was stored. */
    document: z.string().max(1000).optional(),
    /** Why a new file could not be stored. */
    refused: z.string().max(1000).optional(),
    commitmentVersion: versionField,
  })
  .refine(hasOneInvestor, oneInvestor)
  .refine(...ONE_EXTENT)
  .refine(...PRICE_OF_INTEREST);
export const transferFormDescription = describeForm(transferForm);

export const commitmentRemovalForm = z.object({
  isDeleteAll: z.boolean().default(false),
  deleteAllContent: z.boolean().default(false),
});

const sum = (text: string) => ({ sum: text, currency: null });

/** Fees without the groups that were left empty. */
const feesOfForm = ({ overallCap, ...groups }: z.output<typeof terms.fees>): CommitmentFees => ({
  ...Object.fromEntries(Object.entries(groups).filter(([, group]) => group !== null)),
  ...(overallCap === undefined ? {} : { overallCap }),
});

type Terms = Pick<z.output<typeof newCommitmentForm>, keyof typeof terms>;

/** The terms that a form gives, as the operations take them. */
export const commitmentTermsOfForm = ({
  closingDate,
  maxCommitment,
  activeCommitment,
  deltas,
  fees: entered,
}: Terms) => ({
  closingDate,
  maxCommitment: sum(maxCommitment),
  activeCommitment: activeCommitment === undefined ? null : sum(activeCommitment),
  deltas,
  fees: feesOfForm(entered),
});

/** The field of a form for a path that an operation reports. @param investor the field that the investor was chosen in */
function fieldOf(path: string, { code }: Reason, investor: string): string {
  if (path === 'investor.id' || path === 'to.id') return investor;
  // A change is reported as a whole; the reason says which of its fields is wrong.
  if (/^deltas\.\d+$/.test(path)) return `${path}.${code === 'beforeClosing' ? 'date' : 'amount'}`;
  return path;
}

/** Reports refusals of an operation at the fields of the form. */
export const atCommitmentFields = <Result>(form: InvestorForm, work: Promise<Result>): Promise<Result> =>
  flagsAt(work, (path, reason) => fieldOf(path, reason, form.investingFund ? 'investingFund' : 'lp'));

const LABELS: Readonly<Record<string, string>> = {
  lp: 'Investor',
  closingDate: 'Closing date',
  maxCommitment: 'Maximum commitment',
  activeCommitment: 'Active commitment',
  investingFund: 'Or a fund that invests',
  applied: 'Reach the investor',
  equityOnly: 'Only capital gains enter the success fee',
  deltas: 'Change',
  overallCap: 'Cap on all fees',
  management: 'Management fee',
  success: 'Success fee',
  transaction: 'Transaction fees',
  committed: 'On committed capital',
  invested: 'On invested capital',
  interestIncome: 'On interest income',
  assets: 'On assets',
  assetsBasis: 'Assets are',
  hurdle: 'Hurdle',
  rate: 'Rate',
  catchUp: 'Catch-up',
  interestShare: 'Share of interest',
  cap: 'Cap',
  date: 'Date',
  amount: 'Amount',
  sharePercent: 'Share of the interest',
  price: 'Purchase price',
  document: 'Document',
};

/** "Change 2, Amount" for `deltas[1].amount`. */
export function commitmentLabel(name: string): string {
  const parts: string[] = [];
  for (const [, field = '', index] of name.matchAll(/([A-Za-z]+)(?:\[(\d+)\])?/g)) {
    if (field === 'fees') continue;
    const label = LABELS[field] ?? fieldLabel(field);
    parts.push(index === undefined ? label : `${label} ${Number(index) + 1}`);
  }
  return parts.length === 0 ? name : parts.join(', ');
}
