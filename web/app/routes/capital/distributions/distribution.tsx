import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData, useSearchParams } from '@remix-run/react';
import {
  componentsOfDistribution,
  getDistributionHeader,
  linesOfHeader,
} from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import {
  listDistributions,
  removeDistribution,
  stepDistribution,
} from '@tapeline/db/operations/capital/distributions.ts';
import { payeeWarnings } from '@tapeline/db/operations/capital/notices.ts';
import { DISTRIBUTION_ACTION_TYPES } from '@tapeline/domain/capital/distribution.schema.ts';
import { distributionTotals } from '@tapeline/domain/capital/distribution-totals.ts';
import { classNameOf, classTitle } from '@tapeline/domain/funds/class-title.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { DateText, Money } from '../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import { buttonClass } from '../../../components/forms/button.tsx';
import { HistorySection } from '../../../components/history/changes-table.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { KeyFigures } from '../../../components/page/key-figures.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel, Section } from '../../../components/page/section.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import type { CrumbHandle } from '../../../components/shell/breadcrumb.tsx';
import { act, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { FundLink } from '../fund-link.tsx';
import { fundOfHeader } from '../funds-of-headers.server.ts';
import { HeaderButtons, HeaderQuestion } from '../header-status.tsx';
import { headerIntents } from '../header-steps.server.ts';
import { NoticeProgress } from '../notice-progress.tsx';
import { NoticeLink } from '../own-documents.tsx';
import { orWithdrawn, shownDeliveries, withReview } from '../told.server.ts';
import { Deliveries } from '../who-is-told.tsx';
import { WithdrawnPage } from '../withdrawn-page.tsx';
import { shareOf } from './distribution-review.server.ts';
import { DistributionShares, DistributionWaterfall } from './distribution-shares.tsx';

const PER_PAGE = 200;
/** The page of the history in the address. */
const HISTORY_PAGE = 'changes';

export const handle: CrumbHandle<{ callNumber: string }> = {
  crumbs: ({ data: { callNumber } }) => [{ label: `Distribution ${callNumber}` }],
};
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Distribution ${data?.callNumber ?? ''} · Tapeline` },
];

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'distributions/read', async (screen) => {
    const { db, params, url, actor } = screen;
    const page = await db((session) =>
      orWithdrawn(session, 'distributions', params.id ?? '', async () => {
        const { Class, ...header } = await getDistributionHeader(session, params.id ?? '');
        const { documents, total } = await listDistributions(session, {
          filter: linesOfHeader(header.id),
          sort: { totalDistributed: -1 },
          skip: skipOf(url.searchParams),
          limit: PER_PAGE,
        });
        const fund = await fundOfHeader(session, header.fundId);
        const shares = documents.map(shareOf);
        const lines = (await componentsOfDistribution(session, header.id)).flatMap(({ title, kind, amount }) => {
          const actionType = DISTRIBUTION_ACTION_TYPES.find((type) => type === kind);
          return actionType ? [{ title, actionType, amount }] : [];
        });
        return {
          ...header,
          fundTitle: fund?.title ?? null,
          className: classNameOf(fund?.classes ?? [], Class),
          total,
          shares,
          deliveries: await shownDeliveries(session, 'distributions', shares),
          warnings:
            header.drafts > 0 && can(actor, 'distributions/write') ? await payeeWarnings(session, documents) : [],
          description: documents[0]?.trailingDescription ?? null,
          lines,
          totals: distributionTotals(header.principal, lines),
          history: await documentHistory(
            session,
            [{ resource: 'distributions', ids: documents.map((document) => document.id) }],
            url.searchParams,
            HISTORY_PAGE,
          ),
          isInvestor: actor.lpIds.length > 0,
          mayWrite: can(actor, 'distributions/write'),
        };
      }),
    );
    return withReview(screen, 'distributions', page, stepDistribution);
  });

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    headerIntents({
      permission: 'distributions/write',
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
  const [search] = useSearchParams();
  const { id, callNumber, currency, shares, total, isInvestor, mayWrite } = page;
  const stepped = {
    noun: 'distribution',
    label: `distribution ${callNumber}`,
    version: page.version,
    drafts: page.drafts,
    issued: page.issued,
  };
  return (
    <>
      <PageHeader
        title={`Distribution ${callNumber}`}
        chip={<StatusChip dot status={page.status} />}
        facts={[
          <FundLink key="fund" id={page.fundId} title={page.fundTitle} />,
          ...(page.className ? [classTitle(page.className)] : []),
          page.distributionKind,
          <>
            cut-off{' '}
            <b>
              <DateText value={page.cutOffDate} />
            </b>
          </>,
          `figures in ${currency}`,
        ]}
        actions={
          <>
            {isInvestor ? null : (
              <a href={paths.listOfAll(id)} className={buttonClass()}>
                List as PDF
              </a>
            )}
            {page.notices > 0 ? (
              <a href={paths.noticeArchive(id)} className={buttonClass()}>
                Notices as zip
              </a>
            ) : null}
            {mayWrite ? (
              <HeaderButtons
                header={stepped}
                removeTo={paths.distribution(id, { ask: 'remove' })}
                issueTo={paths.distribution(id, { ask: 'issue' })}
                editTo={paths.editDistribution(id)}
              />
            ) : null}
          </>
        }
      />
      {mayWrite ? (
        <HeaderQuestion
          header={stepped}
          ask={search.get('ask')}
          review={page.review}
          deliveries={page.deliveries}
          backTo={paths.distribution(id)}
        />
      ) : null}
      {page.warnings.map((warning) => (
        <Notice key={warning} tone="warning">
          {warning}
        </Notice>
      ))}
      <NoticeProgress notices={page.notices} due={page.due} problems={page.problems} mayWrite={mayWrite} />
      <KeyFigures
        figures={[
          { label: 'Distributed', value: <Money value={page.amount} zero="figure" />, unit: currency },
          {
            label: 'Principal',
            value: <Money value={page.principal} zero="figure" />,
            unit: currency,
            note: page.isRecallable ? 'can be called again' : 'cannot be called again',
          },
          ...(isInvestor ? [] : [{ label: 'Investors', value: formatFigure(page.investors) }]),
          {
            label: 'Notices ready',
            value: formatFigure(page.notices),
            note: `of ${formatCount(page.investors, 'notice')}`,
          },
        ]}
      />
      <DistributionWaterfall principal={page.principal} lines={page.lines} totals={page.totals} currency={currency} />
      <Section title={isInvestor ? 'Your share' : 'Each investor’s share'} note={currency}>
        <Panel>
          <DistributionShares
            rows={shares}
            isWhole={total === shares.length}
            showsShare={!isInvestor}
            notice={(row) => <NoticeLink id={row.noticeId} />}
          />
          <Pagination total={total} limit={PER_PAGE} noun="investors" />
        </Panel>
      </Section>
      {page.description ? (
        <Section title="Text at the end of the notice">
          <Panel padded>
            <p className="text-sm whitespace-pre-line">{page.description}</p>
          </Panel>
        </Section>
      ) : null}
      {mayWrite && page.drafts < page.investors ? (
        <Deliveries deliveries={page.deliveries} maySendAgain mayTellRest />
      ) : null}
      {page.history && shares[0] ? (
        <HistorySection
          history={page.history}
          several
          page={HISTORY_PAGE}
          all={{ resource: 'distributions', id: shares[0].id }}
        />
      ) : null}
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
