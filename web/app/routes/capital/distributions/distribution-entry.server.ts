import {
  componentsOfDistribution,
  getDistributionHeader,
  linesOfHeader,
} from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import {
  changeDistribution,
  type DistributionView,
  distribute,
  listDistributions,
} from '@tapeline/db/operations/capital/distributions.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { distributionTotals } from '@tapeline/domain/capital/distribution-totals.ts';
import { sum } from '@tapeline/domain/money/decimal.ts';
import { paths } from '../../../paths.ts';
import { entryOf, type ReviewOf } from '../entry.server.ts';
import { previewShape } from '../notice-preview.server.ts';
import {
  type DistributionForm,
  distributionChangeForm,
  distributionForm,
  distributionOfForm,
  enteredDistribution,
  enteredOptions,
} from './distribution-form.ts';
import type { DistributionShare } from './distribution-shares.tsx';

export const distributionShareOf = (view: DistributionView): DistributionShare => ({
  id: view.id,
  commitmentId: view.commitmentId,
  investor: view.investor?.title ?? null,
  isFund: view.investorKind === 'fund',
  percentage: view.holdingPercentage ?? null,
  committed: view.committed,
  principal: view.principal,
  totals: view.totals,
  paidTo: view.paidTo,
  noticeId: view.fileId && view.file ? view.fileId : null,
});

function reviewed(form: DistributionForm, _: unknown, shares: DistributionShare[]) {
  const lines = form.components;
  const principal = form.principal ?? '0';
  return {
    principal,
    lines,
    totals: distributionTotals(principal, lines),
    isRecallable: form.recallableDistribution,
    distributed: sum(shares.map(({ totals }) => totals.totalDistributed)),
  };
}

export const DISTRIBUTION_ENTRY = entryOf({
  table: 'distributions',
  form: distributionForm,
  changeForm: distributionChangeForm,
  previewForms: {
    new: distributionForm.safeExtend(previewShape),
    change: distributionChangeForm.safeExtend(previewShape),
  },
  lists: ['components'],
  listTo: paths.distributions(),
  pageTo: paths.distribution,
  initial: () => ({ distributionKind: 'Interest and Principal', components: [{ actionType: 'INTEREST' }] }),
  async draft(session, id) {
    const header = await getDistributionHeader(session, id);
    const components = await componentsOfDistribution(session, header.id);
    const [first] = (await listDistributions(session, { filter: linesOfHeader(header.id), limit: 1 })).documents;
    const entered = {
      distributionKind: header.distributionKind,
      principal: header.principal,
      components: components.map(({ kind, ...component }) => ({ ...component, actionType: kind })),
      trailingDescription: first?.trailingDescription ?? '',
      ...enteredOptions(first?.pdfOptions),
    };
    return { header, entered };
  },
  enteredOf: enteredDistribution,
  fieldFor: (_, path) => path,
  termsOf: async (session, form) => distributionOfForm(form, (await getFund(session, form.fund)).currency),
  create: (session, terms, how) => distribute(session, [{ ...terms, ...how }]),
  change: changeDistribution,
  shareOf: distributionShareOf,
  reviewed,
});

export type DistributionReview = ReviewOf<typeof DISTRIBUTION_ENTRY>;
