import { useLoaderData } from '@remix-run/react';
import {
  componentsOfDistribution,
  getDistributionHeader,
} from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import {
  listDistributions,
  removeDistribution,
  stepDistribution,
} from '@tapeline/db/operations/capital/distributions.ts';
import { payeeWarnings } from '@tapeline/db/operations/capital/notices.ts';
import { DISTRIBUTION_ACTION_TYPES } from '@tapeline/domain/capital/distribution.schema.ts';
import { distributionTotals } from '@tapeline/domain/capital/distribution-totals.ts';
import { Money } from '../../../components/figures/figures.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Pagination } from '../../../components/page/pagination.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { act } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { paidOf } from '../../cash/paid.server.ts';
import { PaidSection } from '../../cash/paid-section.tsx';
import { readHeaderPage } from '../header-page.server.ts';
import { HeaderPage, LINES_PER_PAGE } from '../header-page.tsx';
import { headerIntents } from '../header-steps.server.ts';
import { NoticeLink } from '../own-documents.tsx';
import { WithdrawnPage } from '../withdrawn-page.tsx';
import { distributionShareOf } from './distribution-entry.server.ts';
import { DistributionShares, DistributionWaterfall } from './distribution-shares.tsx';
import { InvestorTiers } from './investor-tiers.tsx';
import { tiersOf } from './tiers.ts';

export const handle = named<typeof loader>(({ callNumber }) => [`Distribution ${callNumber}`]);

export const loader = readHeaderPage({
  table: 'distributions',
  get: getDistributionHeader,
  list: listDistributions,
  largest: 'totalDistributed',
  shareOf: distributionShareOf,
  warnings: (session, _, views) => payeeWarnings(session, views),
  async more(session, { id, principal }, views) {
    const lines = (await componentsOfDistribution(session, id)).flatMap(({ title, kind, amount }) => {
      const actionType = DISTRIBUTION_ACTION_TYPES.find((type) => type === kind);
      return actionType ? [{ title, actionType, amount }] : [];
    });
    const shares = views.map(distributionShareOf);
    const isByWaterfall = shares.some(({ basis }) => basis.some(({ waterfall }) => waterfall !== undefined));
    return {
      lines,
      totals: distributionTotals(principal, lines),
      paid: await paidOf(session, { kind: 'distribution', activity: id }),
      tiers: isByWaterfall ? tiersOf(shares) : null,
    };
  },
  step: stepDistribution,
});

export const action = act(
  headerIntents({
    table: 'distributions',
    step: stepDistribution,
    remove: removeDistribution,
    pathOf: paths.distribution,
    list: () => paths.distributions(),
  }),
);

export default function DistributionPage() {
  const page = useLoaderData<typeof loader>();
  if (!('withdrawn' in page)) return <Distribution page={page} />;
  return (
    <WithdrawnPage
      title={`Distribution ${page.callNumber}`}
      {...page.withdrawn}
      backTo={{ label: 'All distributions', to: paths.distributions() }}
    />
  );
}

type Issued = Exclude<ReturnType<typeof useLoaderData<typeof loader>>, { withdrawn: unknown }>;

function Distribution({ page }: { page: Issued }) {
  const { currency, shares, total, isInvestor } = page;
  return (
    <HeaderPage
      page={page}
      table="distributions"
      facts={[page.distributionKind]}
      figures={[
        { label: 'Distributed', value: <Money value={page.amount} zero="figure" />, unit: currency },
        {
          label: 'Principal',
          value: <Money value={page.principal} zero="figure" />,
          unit: currency,
          note: page.isRecallable ? 'can be called again' : 'cannot be called again',
        },
      ]}
    >
      <DistributionWaterfall principal={page.principal} lines={page.lines} totals={page.totals} currency={currency} />
      <PanelSection title={isInvestor ? 'Your share' : 'Each investor’s share'} note={currency}>
        <DistributionShares
          rows={shares}
          titles={page.lines.map(({ title }) => title)}
          currency={currency}
          isWhole={total === shares.length}
          showsShare={!isInvestor}
          notice={(row) => <NoticeLink id={row.noticeId} />}
        />
        <Pagination total={total} limit={LINES_PER_PAGE} noun="investors" />
      </PanelSection>
      {page.tiers === null ? null : <InvestorTiers tiers={page.tiers} currency={currency} />}
      <PaidSection paid={page.paid} title="Payments" isPayable />
    </HeaderPage>
  );
}
