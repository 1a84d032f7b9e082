import {
  changeDistribution,
  type DistributionView,
  distribute,
} from '@tapeline/db/operations/capital/distributions.ts';
import { whoIsTold } from '@tapeline/db/operations/capital/tell-investors.ts';
import { scopeOfHeader } from '@tapeline/db/operations/capital/write-lines.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import type { Session } from '@tapeline/db/store.ts';
import { distributionTotals } from '@tapeline/domain/capital/distribution-totals.ts';
import { sum } from '@tapeline/domain/money/decimal.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { investorChanges, investorsOf } from '../draft-change.ts';
import { type DistributionChangeForm, type DistributionForm, distributionOfForm } from './distribution-form.ts';
import type { DistributionShare } from './distribution-shares.tsx';

export const shareOf = (view: DistributionView): DistributionShare => ({
  id: view.id,
  commitmentId: view.commitmentId,
  investor: view.investor?.title ?? null,
  isFund: view.investorKind === 'fund',
  percentage: view.holdingPercentage ?? null,
  committed: view.committed,
  principal: view.principal,
  totals: view.totals,
  noticeId: view.fileId && view.file ? view.fileId : null,
});

/** A dry run of a new distribution. */
export async function tryDistribution(session: Session, form: DistributionForm) {
  const { currency } = await getFund(session, form.fund);
  const Class = form.Class ?? null;
  const body = { ...distributionOfForm(form, currency), Class, status: 'Active' as const, dryRun: true };
  return { views: await distribute(session, [body]), Class, changes: [] };
}

/** What changes a stored draft. */
export async function changeOfDistribution(session: Session, form: DistributionChangeForm) {
  const { header: id, headerVersion: version } = form;
  const investors = investorsOf(form.investors);
  const { fund, ...scope } = await scopeOfHeader(session, 'distributions', id, investors);
  const { currency } = await getFund(session, fund);
  return { scope, change: { id, version, investors, terms: distributionOfForm({ ...form, fund }, currency) } };
}

/** A dry run of a change of a draft. */
export async function tryDistributionChange(session: Session, form: DistributionChangeForm) {
  const before = await scopeOfHeader(session, 'distributions', form.header, 'same');
  const { scope, change } = await changeOfDistribution(session, form);
  // As if it were issued: what cannot be issued is refused before it is saved.
  const views = await changeDistribution(session, { ...change, status: 'Active', dryRun: true });
  return { views, Class: scope.Class, changes: investorChanges(before.commitmentIds, views) };
}

/** What a distribution would be, from a dry run of it. Sums are of the investors that the actor can see. */
export const reviewDistribution = (
  screen: Screen,
  form: DistributionForm,
  run: (session: Session) => ReturnType<typeof tryDistribution> | ReturnType<typeof tryDistributionChange>,
) =>
  screen.dryRun(async (session) => {
    const fund = await getFund(session, form.fund);
    const { views, Class, changes } = await run(session);
    const shares = views.map(shareOf);
    const lines = form.components;
    const principal = form.principal ?? '0';
    return {
      shares,
      currency: fund.currency,
      className: fund.classes.find(({ uniqueKey }) => uniqueKey === Class)?.name ?? null,
      callNumber: form.callNumber,
      cutOffDate: form.cutOffDate,
      principal,
      lines,
      totals: distributionTotals(principal, lines),
      isRecallable: form.recallableDistribution,
      distributed: sum(shares.map(({ totals }) => totals.totalDistributed)),
      warnings: [...changes, ...(views[0]?.warnings ?? [])],
      who: await whoIsTold(
        session,
        'distributions',
        views.map(({ id }) => id),
      ),
    };
  });

export type DistributionReview = Awaited<ReturnType<typeof reviewDistribution>>;
