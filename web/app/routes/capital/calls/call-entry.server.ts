import {
  getCallHeader,
  linesOfHeader,
  purposesOfCall,
} from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import {
  type CallTerms,
  type ContributionView,
  callCapital,
  changeCall,
  listContributions,
} from '@tapeline/db/operations/capital/contributions.ts';
import { NOTICE_BUSINESS_DAYS } from '@tapeline/domain/capital/contribution.schema.ts';
import { addBusinessDays, businessDaysBetween } from '@tapeline/domain/dates/calendar-date.ts';
import { isNegative, sum } from '@tapeline/domain/money/decimal.ts';
import { paths } from '../../../paths.ts';
import { entryOf, type ReviewOf } from '../entry.server.ts';
import { previewShape } from '../notice-preview.server.ts';
import type { CallShare } from '../shares.tsx';
import { callOfForm } from './call-form.server.ts';
import { type CallForm, callChangeForm, callField, callForm, enteredCall } from './call-form.ts';
import { proposeFee } from './fee-proposal.server.ts';

export const callShareOf = (view: ContributionView): CallShare => ({
  id: view.id,
  commitmentId: view.commitmentId,
  investor: view.investor?.title ?? null,
  isFund: view.investorKind === 'fund',
  percentage: view.holdingPercentage ?? null,
  lines: view.purposes.map(({ amount }) => amount),
  amount: view.amount,
  before: view.unfunded.before,
  after: view.unfunded.after,
  noticeId: view.fileId && view.file ? view.fileId : null,
});

const reviewed = (
  { cutOffDate, dueDate }: CallForm,
  { callPurposes }: CallTerms,
  shares: CallShare[],
  views: readonly ContributionView[],
) => ({
  dueDate,
  businessDays: businessDaysBetween(cutOffDate, dueDate),
  purposes: callPurposes,
  amount: sum(shares.map(({ amount }) => amount)),
  before: sum(shares.map(({ before }) => before)),
  after: sum(shares.map(({ after }) => after)),
  beyond: views[0]?.beyond ?? [],
  isBeyond: shares.some(({ after }) => isNegative(after)),
});

export const CALL_ENTRY = entryOf({
  table: 'contributions',
  form: callForm,
  changeForm: callChangeForm,
  previewForms: { new: callForm.safeExtend(previewShape), change: callChangeForm.safeExtend(previewShape) },
  lists: ['callPurposes'],
  listTo: paths.capitalCalls(),
  pageTo: paths.capitalCall,
  initial: (search, today) => ({
    dueDate: addBusinessDays(today, NOTICE_BUSINESS_DAYS),
    callPurposes: [{ kind: 'investments' }],
    feeFrom: search.get('feeFrom') ?? '',
    feeUntil: search.get('feeUntil') ?? '',
  }),
  async draft(session, id) {
    const header = await getCallHeader(session, id);
    const callPurposes = await purposesOfCall(session, header.id);
    const [first] = (await listContributions(session, { filter: linesOfHeader(header.id), limit: 1 })).documents;
    const { dueDate, amount } = header;
    const trailingDescription = first?.trailingDescription ?? '';
    const fundLevel = first?.pdfOptions.fundLevel ? 'on' : '';
    return { header, entered: { dueDate, amount, callPurposes, trailingDescription, fundLevel } };
  },
  enteredOf: enteredCall,
  fieldFor: callField,
  termsOf: callOfForm,
  create: (session, terms, how) => callCapital(session, { ...terms, ...how }),
  change: changeCall,
  shareOf: callShareOf,
  reviewed,
  more: { propose: proposeFee },
});

export type CallReview = ReviewOf<typeof CALL_ENTRY>;
