import {
  componentsOfDistribution,
  getDistributionHeader,
  linesOfHeader,
  ownLinesOfHeader,
  splitsOfHeader,
} from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import {
  changeDistribution,
  type DistributionView,
  distribute,
  listDistributions,
} from '@tapeline/db/operations/capital/distributions.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { distributionTotals } from '@tapeline/domain/capital/distribution-totals.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { sum } from '@tapeline/domain/money/decimal.ts';
import { paths } from '../../../paths.ts';
import { entryOf, type ReviewOf } from '../entry.server.ts';
import { previewShape } from '../notice-preview.server.ts';
import { ownEntryOf } from '../own-amounts.ts';
import {
  type DistributionForm,
  distributionChangeForm,
  distributionForm,
  distributionOfForm,
  enteredDistribution,
  enteredOptions,
  WATERFALL_ENTRY,
} from './distribution-form.ts';
import type { DistributionShare } from './distribution-shares.tsx';
import { tiersOf } from './tiers.ts';

export const distributionShareOf = (view: DistributionView): DistributionShare => ({
  id: view.id,
  commitmentId: view.commitmentId,
  investor: view.investor?.title ?? null,
  isFund: view.investorKind === 'fund',
  percentage: view.holdingPercentage ?? null,
  committed: view.committed,
  principal: view.principal,
  lines: [view.principal, ...view.components.map(({ amount }) => amount)],
  basis: view.basis,
  excuse: null,
  excuseDocument: null,
  totals: view.totals,
  paidTo: view.paidTo,
  noticeId: view.fileId && view.file ? view.fileId : null,
});

/** What own amounts of the principal are kept under: no component of this title is meant. */
const PRINCIPAL = 'Principal';

function reviewed(form: DistributionForm, _: unknown, shares: DistributionShare[], views: readonly DistributionView[]) {
  const [principal = '0', ...amounts] = views[0]?.wholes ?? [];
  const lines = form.components.map((one, index) => ({
    ...one,
    control: one.split === 'waterfall' ? null : (one.amount ?? null),
    amount: amounts[index] ?? '0',
  }));
  return {
    beyond: views[0]?.beyond ?? [],
    isBeyond: (views[0]?.beyond ?? []).length > 0,
    principalSplit: form.principalSplit,
    investment: form.investment ?? null,
    principalControl: form.principalSplit === 'waterfall' ? null : (form.principal ?? null),
    principal,
    lines,
    totals: distributionTotals(principal, lines),
    isRecallable: form.recallableDistribution,
    distributed: sum(shares.map(({ totals }) => totals.totalDistributed)),
    tiers: form.principalSplit === 'waterfall' ? tiersOf(shares) : null,
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
  initial: (search) =>
    search.get('split') === 'waterfall'
      ? WATERFALL_ENTRY
      : { distributionKind: 'Interest and Principal', components: [{ actionType: 'INTEREST' }] },
  async stored(session, id) {
    const header = await getDistributionHeader(session, id);
    const divided = await componentsOfDistribution(session, header.id);
    const [ofPrincipal, ...splits] = await splitsOfHeader(session, 'distributions', header.id);
    const components = divided.map((component, index) => {
      const split = splits[index];
      return split
        ? { ...component, amount: split.amount ?? '', split: split.rule, rate: split.ratePercent ?? '' }
        : component;
    });
    const own = await ownLinesOfHeader(session, 'distributions', header.id);
    const titled = [
      { title: PRINCIPAL },
      ...components.map(({ title }, index) => ({ title, ratePercent: splits[index]?.ratePercent })),
    ];
    const [first] = (await listDistributions(session, { filter: linesOfHeader(header.id), limit: 1 })).documents;
    const entered = {
      distributionKind: header.distributionKind,
      principal:
        ofPrincipal?.rule === 'waterfall'
          ? sum([ofPrincipal, ...splits].flatMap(({ rule, amount }) => (rule === 'waterfall' ? (amount ?? []) : [])))
          : (ofPrincipal?.amount ?? header.principal),
      principalSplit: ofPrincipal?.rule ?? 'commitment',
      investment: ofPrincipal?.investment ?? '',
      own: own.flatMap((line) => ownEntryOf(line, titled, line.amounts)),
      components: components.map(({ kind, ...component }) => ({ ...component, actionType: kind })),
      trailingDescription: first?.trailingDescription ?? '',
      ...enteredOptions(first?.pdfOptions),
    };
    return { header, entered };
  },
  enteredOf: enteredDistribution,
  titlesOf: ({ components }) => [
    { title: PRINCIPAL },
    ...components.map(({ title, split }) => ({ title, isRate: split === 'terms' })),
  ],
  fieldFor: (_, path) => path,
  termsOf: async (session, form) => distributionOfForm(form, (await getFund(session, form.fund)).currency),
  create: (session, terms, how) => distribute(session, [{ ...terms, ...how }]),
  change: changeDistribution,
  list: listDistributions,
  shareOf: distributionShareOf,
  totalOf: ({ totals }) => totals.totalDistributed,
  dayOf: ({ cutOffDate }) => formatCalendarDate(cutOffDate),
  reviewed,
});

export type DistributionReview = ReviewOf<typeof DISTRIBUTION_ENTRY>;
