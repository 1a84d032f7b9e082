import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData, useSearchParams } from '@remix-run/react';
import {
  getCallHeader,
  linesOfHeader,
  purposesOfCall,
} from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import {
  callWarnings,
  listContributions,
  removeCall,
  stepCall,
} from '@tapeline/db/operations/capital/contributions.ts';
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
import { Purposes } from '../purposes.tsx';
import { CallShares } from '../shares.tsx';
import { orWithdrawn, shownDeliveries, withReview } from '../told.server.ts';
import { Deliveries } from '../who-is-told.tsx';
import { WithdrawnPage } from '../withdrawn-page.tsx';
import { shareOf } from './call-review.server.ts';
import { kindText } from './review.tsx';

const PER_PAGE = 200;
/** The page of the history in the address. */
const HISTORY_PAGE = 'changes';

export const handle: CrumbHandle<{ callNumber: string }> = {
  crumbs: ({ data: { callNumber } }) => [{ label: `Call ${callNumber}` }],
};
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Capital call ${data?.callNumber ?? ''} · Tapeline` },
];

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'contributions/read', async (screen) => {
    const { db, params, url, actor } = screen;
    const page = await db((session) =>
      orWithdrawn(session, 'contributions', params.id ?? '', async () => {
        const { Class, ...header } = await getCallHeader(session, params.id ?? '');
        const { documents, total } = await listContributions(session, {
          filter: linesOfHeader(header.id),
          sort: { amount: -1 },
          skip: skipOf(url.searchParams),
          limit: PER_PAGE,
        });
        const fund = await fundOfHeader(session, header.fundId);
        const shares = documents.map(shareOf);
        return {
          ...header,
          fundTitle: fund?.title ?? null,
          className: classNameOf(fund?.classes ?? [], Class),
          total,
          shares,
          deliveries: await shownDeliveries(session, 'contributions', shares),
          warnings: header.drafts > 0 && can(actor, 'contributions/write') ? await callWarnings(session, header) : [],
          description: documents[0]?.trailingDescription ?? null,
          purposes: await purposesOfCall(session, header.id),
          history: await documentHistory(
            session,
            [{ resource: 'contributions', ids: documents.map((document) => document.id) }],
            url.searchParams,
            HISTORY_PAGE,
          ),
          isInvestor: actor.lpIds.length > 0,
          mayWrite: can(actor, 'contributions/write'),
        };
      }),
    );
    return withReview(screen, 'contributions', page, stepCall);
  });

export const action = (args: ActionFunctionArgs) =>
  act(
    args,
    headerIntents({
      permission: 'contributions/write',
      table: 'contributions',
      step: stepCall,
      remove: removeCall,
      pathOf: paths.capitalCall,
      list: () => paths.capitalCalls(),
    }),
  );

export default function CallPage() {
  const page = useLoaderData<typeof loader>();
  if (!('withdrawn' in page)) return <Call page={page} />;
  return (
    <WithdrawnPage
      title={`Capital call ${page.callNumber}`}
      {...page.withdrawn}
      backTo={{ label: 'All capital calls', to: paths.capitalCalls() }}
    />
  );
}

type Issued = Exclude<ReturnType<typeof useLoaderData<typeof loader>>, { withdrawn: unknown }>;

function Call({ page }: { page: Issued }) {
  const [search] = useSearchParams();
  const { id, callNumber, fundId, fundTitle, currency, purposes, shares, total, isInvestor, mayWrite } = page;
  const stepped = {
    noun: 'call',
    label: `call ${callNumber}`,
    version: page.version,
    drafts: page.drafts,
    issued: page.issued,
  };
  const here = paths.capitalCall(id);
  return (
    <>
      <PageHeader
        title={`Capital call ${callNumber}`}
        chip={<StatusChip dot status={page.status} />}
        facts={[
          <FundLink key="fund" id={fundId} title={fundTitle} />,
          ...(page.className ? [classTitle(page.className)] : []),
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
                removeTo={paths.capitalCall(id, { ask: 'remove' })}
                issueTo={paths.capitalCall(id, { ask: 'issue' })}
                editTo={paths.editCapitalCall(id)}
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
          backTo={here}
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
          {
            label: isInvestor ? 'To pay' : 'This call',
            value: <Money value={page.amount} zero="figure" />,
            unit: currency,
          },
          { label: 'Due', value: <DateText value={page.dueDate} /> },
          ...(isInvestor ? [] : [{ label: 'Investors', value: formatFigure(page.investors) }]),
          {
            label: 'Notices ready',
            value: formatFigure(page.notices),
            note: `of ${formatCount(page.investors, 'notice')}`,
          },
        ]}
      />
      <Section title={isInvestor ? 'Your share' : 'Each investor’s share'} note={currency}>
        <Panel>
          <CallShares
            rows={shares}
            purposes={purposes.map(({ title }) => title)}
            isWhole={total === shares.length}
            showsShare={!isInvestor}
            notice={(row) => <NoticeLink id={row.noticeId} />}
          />
          <Pagination total={total} limit={PER_PAGE} noun="investors" />
        </Panel>
      </Section>
      <Purposes
        lines={purposes.map(({ title, kind, amount }) => ({ title, kind: kindText(kind), amount }))}
        currency={currency}
        whole={isInvestor ? 'To pay' : 'This call'}
      />
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
          all={{ resource: 'contributions', id: shares[0].id }}
        />
      ) : null}
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
