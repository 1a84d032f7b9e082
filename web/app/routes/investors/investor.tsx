import { Link, useLoaderData } from '@remix-run/react';
import { seesReaders } from '@tapeline/db/operations/activities/activities.ts';
import { ACTIVITY_PERMISSIONS } from '@tapeline/db/operations/capital/activity.ts';
import { investorCommitmentsAt } from '@tapeline/db/operations/commitments/fund-commitments.ts';
import { getLP } from '@tapeline/db/operations/investors/investors.ts';
import type { Session } from '@tapeline/db/store.ts';
import { sum } from '@tapeline/domain/money/decimal.ts';
import { can, type UserActor } from '@tapeline/domain/people/actor.ts';
import { documentHistory } from '../../commands/history.server.ts';
import { DateText, Money, Name, Unknown } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { HistorySection } from '../../components/history/changes-table.tsx';
import { EntityFacts, EntityLists, PeopleAndFiles } from '../../components/organizations/entity-sections.tsx';
import { connectedTo, shownEntity } from '../../components/organizations/organization-page.server.ts';
import { StatusChip } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { MoreLink } from '../../components/page/section.tsx';
import { TableSection } from '../../components/tables/data-table.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { DOCUMENTS_SHOWN, DocumentSection } from '../documents/document-section.tsx';
import { findDocuments } from '../documents/documents.server.ts';
import { NOT_ISSUED, Share } from '../funds/fund/commitment-table.tsx';

export const handle = named<typeof loader>(({ title }) => [title]);

/** The investor's commitments as they are today, for actors who may see them. */
async function commitmentsOf(session: Session, actor: UserActor, id: string) {
  if (!can(actor, 'LPs/commitments/read')) return null;
  const today = session.now.toISOString().slice(0, 10);
  const found = await investorCommitmentsAt(session, id, today);
  const inForce = found.flatMap(({ active, currency }) => (active === null ? [] : [{ sum: active, currency }]));
  return {
    today,
    total: found.length,
    sums: [...Map.groupBy(inForce, ({ currency }) => currency)].map(([currency, amounts]) => ({
      sum: sum(amounts.map((amount) => amount.sum)),
      currency,
    })),
    rows: found.map(({ deltas, ...one }) => one),
  };
}

export const loader = readScreen('LPs/read', ({ db, params, url, actor }) =>
  db(async (session) => {
    const { id, status, title, group, groupId, domains, externalCode, metadata, entity, lastVisitedStats } =
      await getLP(session, params.id ?? '');
    return {
      id,
      status,
      title,
      group,
      domains,
      externalCode,
      lastVisitedStats,
      createdAt: metadata.iat,
      entity: shownEntity(entity),
      commitments: await commitmentsOf(session, actor, id),
      documents: can(actor, 'funds/read')
        ? await findDocuments(session, { investor: id }, { skip: 0, limit: DOCUMENTS_SHOWN })
        : null,
      withReads: seesReaders(session),
      connected: await connectedTo(session, { kind: 'LP', id, groupId: groupId ?? null }, entity.id),
      history: await documentHistory(
        session,
        [
          { resource: 'LPs', ids: [id] },
          { resource: 'entities', ids: [entity.id] },
        ],
        url.searchParams,
      ),
      mayWrite: can(actor, 'LPs/write'),
      mayReadActivity: ACTIVITY_PERMISSIONS.every((key) => can(actor, key)),
    };
  }),
);

type Investor = ReturnType<typeof useLoaderData<typeof loader>>;

function Commitments({
  commitments,
  activityTo,
}: {
  commitments: NonNullable<Investor['commitments']>;
  /** Null for whoever may not read the activity. */
  activityTo: string | null;
}) {
  const { rows, sums, today } = commitments;
  return (
    <TableSection
      title="Commitments"
      note={
        <>
          {sums.map((amount) => (
            <span key={amount.currency}>
              <Money value={amount} withCurrency /> ·{' '}
            </span>
          ))}
          as of <DateText value={today} />
        </>
      }
      more={activityTo ? <MoreLink to={activityTo}>Activity statement</MoreLink> : null}
      narrow="list"
      caption="Commitments of the investor"
      rows={rows}
      rowTo={(row) => paths.commitment(row.fundId, row.id)}
      empty={<EmptyState title="No commitments yet">Add commitments on the fund’s page.</EmptyState>}
      columns={[
        { head: 'Fund', cell: (row) => (row.fundTitle ? <Name length={40}>{row.fundTitle}</Name> : <Unknown />) },
        { head: 'Class', cell: (row) => row.className ?? <Unknown reason="The fund has no classes" /> },
        { head: 'Closing', date: (row) => row.closingDate },
        { head: 'Currency', cell: (row) => row.currency },
        {
          head: 'Active commitment',
          money: (row) => (row.active === null ? null : { sum: row.active, currency: row.currency }),
          unknown: NOT_ISSUED,
        },
        { head: 'Share of the fund (%)', numeric: true, cell: (row) => <Share percentage={row.percentage} /> },
        { head: 'Maximum', money: (row) => ({ sum: row.maxCommitment, currency: row.currency }) },
        { head: 'Status', status: (row) => row.status },
      ]}
    />
  );
}

export default function InvestorScreen() {
  const investor = useLoaderData<typeof loader>();
  const { id, title, status, group, domains, entity, commitments, connected, history, createdAt, mayWrite } = investor;
  const { loggedInCount, totalUsers } = investor.lastVisitedStats;
  return (
    <>
      <PageHeader
        title={<Name length={60}>{title}</Name>}
        chip={<StatusChip dot status={status} />}
        facts={[
          ...(group
            ? [
                <Link
                  key="group"
                  to={paths.investorGroup(group.id)}
                  className="tap-text text-accent underline hover:no-underline"
                >
                  {group.title}
                </Link>,
              ]
            : []),
          ...(investor.externalCode ? [`external code ${investor.externalCode}`] : []),
          ...(commitments ? [formatCount(commitments.total, 'commitment')] : []),
          `${formatCount(totalUsers, 'user')}, ${loggedInCount} signed in`,
          <>
            created <DateText value={createdAt} />
          </>,
        ]}
        primary={mayWrite ? { label: 'Edit', to: paths.editInvestor(id) } : null}
      />
      {commitments ? (
        <Commitments
          commitments={commitments}
          activityTo={investor.mayReadActivity ? paths.investorActivity(id) : null}
        />
      ) : null}
      {investor.documents ? (
        <DocumentSection owner={{ investor: id }} {...investor.documents} withReads={investor.withReads} />
      ) : null}
      <EntityFacts entity={entity} />
      <EntityLists entity={entity} />
      <PeopleAndFiles connected={connected} domains={domains} />
      {history ? <HistorySection several history={history} all={{ resource: 'LPs', id: id }} /> : null}
    </>
  );
}
