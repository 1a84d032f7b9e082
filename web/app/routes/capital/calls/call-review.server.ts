import { type ContributionView, callCapital } from '@tapeline/db/operations/capital/contributions.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { businessDaysBetween } from '@tapeline/domain/dates/calendar-date.ts';
import { isNegative, sum } from '@tapeline/domain/money/decimal.ts';
import type { Screen } from '../../../http/screen.server.ts';
import type { CallShare } from '../shares.tsx';
import { callOfForm } from './call-form.server.ts';
import type { CallForm } from './call-form.ts';

export const shareOf = (view: ContributionView): CallShare => ({
  id: view.id,
  investor: view.investor?.title ?? null,
  isFund: view.investorKind === 'fund',
  percentage: view.holdingPercentage ?? null,
  lines: view.purposes.map(({ amount }) => amount),
  amount: view.amount,
  before: view.unfunded.before,
  after: view.unfunded.after,
  noticeId: view.fileId && view.file ? view.fileId : null,
});

/** What a call would be, from a dry run of it. Sums are of the investors that the actor can see. */
export const reviewCall = (screen: Screen, form: CallForm) =>
  screen.dryRun(async (session) => {
    const fund = await getFund(session, form.fund);
    const body = await callOfForm(session, form, { dryRun: true, status: 'Active' });
    const views = await callCapital(session, body);
    const shares = views.map(shareOf);
    return {
      shares,
      currency: fund.currency,
      className: fund.classes.find(({ uniqueKey }) => uniqueKey === form.Class)?.name ?? null,
      callNumber: form.callNumber,
      cutOffDate: form.cutOffDate,
      dueDate: form.dueDate,
      businessDays: businessDaysBetween(form.cutOffDate, form.dueDate),
      purposes: body.callPurposes,
      amount: sum(shares.map(({ amount }) => amount)),
      before: sum(shares.map(({ before }) => before)),
      after: sum(shares.map(({ after }) => after)),
      warnings: views[0]?.warnings ?? [],
      isBeyond: shares.some(({ after }) => isNegative(after)),
    };
  });

export type CallReview = Awaited<ReturnType<typeof reviewCall>>;
