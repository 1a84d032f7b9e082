import { type DistributionView, distribute } from '@tapeline/db/operations/capital/distributions.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { distributionTotals } from '@tapeline/domain/capital/distribution-totals.ts';
import { sum } from '@tapeline/domain/money/decimal.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { type DistributionForm, distributionOfForm } from './distribution-form.ts';
import type { DistributionShare } from './distribution-shares.tsx';

export const shareOf = (view: DistributionView): DistributionShare => ({
  id: view.id,
  investor: view.investor?.title ?? null,
  isFund: view.investorKind === 'fund',
  percentage: view.holdingPercentage ?? null,
  committed: view.committed,
  principal: view.principal,
  totals: view.totals,
  noticeId: view.fileId && view.file ? view.fileId : null,
});

/** What a distribution would be, from a dry run of it. Sums are of the investors that the actor can see. */
export const reviewDistribution = (screen: Screen, form: DistributionForm) =>
  screen.dryRun(async (session) => {
    const fund = await getFund(session, form.fund);
    const body = distributionOfForm(form, { currency: fund.currency, dryRun: true, status: 'Active' });
    const views = await distribute(session, [body]);
    const shares = views.map(shareOf);
    const lines = form.components;
    const principal = form.principal ?? '0';
    return {
      shares,
      currency: fund.currency,
      className: fund.classes.find(({ uniqueKey }) => uniqueKey === form.Class)?.name ?? null,
      callNumber: form.callNumber,
      cutOffDate: form.cutOffDate,
      principal,
      lines,
      totals: distributionTotals(principal, lines),
      isRecallable: form.recallableDistribution,
      distributed: sum(shares.map(({ totals }) => totals.totalDistributed)),
      warnings: views[0]?.warnings ?? [],
    };
  });

export type DistributionReview = Awaited<ReturnType<typeof reviewDistribution>>;
