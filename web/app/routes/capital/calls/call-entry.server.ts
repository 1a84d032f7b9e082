import {
  getCallHeader,
  linesOfHeader,
  ownLinesOfHeader,
  purposesOfCall,
  splitsOfHeader,
} from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import {
  type CallTerms,
  type ContributionView,
  callCapital,
  changeCall,
  listContributions,
} from '@tapeline/db/operations/capital/contributions.ts';
import { NOTICE_BUSINESS_DAYS } from '@tapeline/domain/capital/notice-days.ts';
import { addBusinessDays, businessDaysBetween, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isNegative, sum } from '@tapeline/domain/money/decimal.ts';
import { paths } from '../../../paths.ts';
import { entryOf, type ReviewOf } from '../entry.server.ts';
import { previewShape } from '../notice-preview.server.ts';
import { ownEntryOf } from '../own-amounts.ts';
import type { CallShare } from '../shares.tsx';
import { callOfForm } from './call-form.server.ts';
import { type CallForm, callChangeForm, callField, callForm, enteredCall } from './call-form.ts';
import { proposeFee } from './fee-proposal.server.ts';

export const callShareOf = (view: ContributionView): CallShare => ({
  id: view.id,
  commitmentId: view.commitmentId,
  investor: view.investor?.title ?? null,
  isFund: view.investorKind === 'fund',
  committed: view.committed,
  percentage: view.holdingPercentage ?? null,
  lines: view.purposes.map(({ amount }) => amount),
  basis: view.basis,
  excuse: view.excuseReason ?? null,
  excuseDocument: view.excuseFileId ?? null,
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
  purposes: callPurposes.map(({ title, kind, split, from, until, amount }, index) => ({
    control: amount ?? null,
    title,
    kind,
    split,
    days: from && until ? { from, until } : null,
    amount: views[0]?.totals?.[index] ?? '0',
  })),
  amount: sum(shares.map(({ amount }) => amount)),
  before: sum(shares.map(({ before }) => before)),
  after: sum(shares.map(({ after }) => after)),
  beyond: views[0]?.beyond ?? [],
  isBeyond: (views[0]?.beyond ?? []).length > 0 || shares.some(({ after }) => isNegative(after)),
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
  async stored(session, id) {
    const header = await getCallHeader(session, id);
    const divided = await purposesOfCall(session, header.id);
    const splits = await splitsOfHeader(session, 'contributions', header.id);
    const callPurposes = divided.map((purpose, index) => {
      const split = splits[index];
      return split
        ? {
            ...purpose,
            amount: split.amount ?? '',
            split: split.rule,
            from: split.from ?? '',
            until: split.until ?? '',
          }
        : purpose;
    });
    const own = await ownLinesOfHeader(session, 'contributions', header.id);
    const [first] = (await listContributions(session, { filter: linesOfHeader(header.id), limit: 1 })).documents;
    const { dueDate } = header;
    const isWhole = callPurposes.every(({ amount }) => amount !== '');
    const amount = isWhole ? sum(callPurposes.map((one) => one.amount)) : '';
    const trailingDescription = first?.trailingDescription ?? '';
    const fundLevel = first?.pdfOptions.fundLevel ? 'on' : '';
    const basis = first?.pdfOptions.basis ? 'on' : '';
    return {
      header,
      entered: {
        dueDate,
        amount,
        callPurposes,
        trailingDescription,
        fundLevel,
        basis,
        own: own.flatMap((line) => ownEntryOf(line, callPurposes, line.amounts)),
      },
    };
  },
  enteredOf: enteredCall,
  fieldFor: callField,
  titlesOf: ({ callPurposes }) => callPurposes,
  termsOf: callOfForm,
  create: (session, terms, how) => callCapital(session, { ...terms, ...how }),
  change: changeCall,
  list: listContributions,
  shareOf: callShareOf,
  totalOf: ({ amount }) => amount,
  dayOf: ({ dueDate }) => `due ${formatCalendarDate(dueDate)}`,
  reviewed,
  more: { propose: proposeFee },
});

export type CallReview = ReviewOf<typeof CALL_ENTRY>;
