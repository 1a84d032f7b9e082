import { classTitle } from '@tapeline/domain/funds/class-title.ts';
import { NO_NAV } from '@tapeline/domain/returns/irr.ts';
import { DateText, Figure, Name, Unknown } from '../../components/figures/figures.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { type Column, TableSection } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';
import { TOLD_BY } from '../capital/who-is-told.tsx';
import { NOT_ISSUED } from '../funds/fund/commitment-table.tsx';
import { quarterColumns } from '../funds/fund/nav-quarters.tsx';
import { EARLIER_QUARTERS, ROWS_PER_LIST, SHOWN_QUARTERS } from '../funds/fund/tabs.ts';
import type { InvestorTab } from './investor-page.server.ts';

type Overview = InvestorTab<'overview'>;
type Row = NonNullable<Overview['tab']['commitments']>['rows'][number];

function Commitments({ commitments }: { commitments: NonNullable<Overview['tab']['commitments']> }) {
  const { rows, today, withFigures } = commitments;
  const money = (of: (row: Row) => string | null) => (row: Row) => {
    const value = of(row);
    return value === null ? null : { sum: value, currency: row.currency };
  };
  const figures: Column<Row>[] = [
    { head: 'Called', money: (row) => row.called, unknown: NOT_ISSUED, zero: 'figure' },
    { head: 'Unfunded', money: (row) => row.unfunded, unknown: NOT_ISSUED },
    { head: 'Distributed', money: (row) => row.distributed, unknown: NOT_ISSUED },
    { head: 'NAV', money: (row) => row.nav, unknown: NO_NAV },
    { head: 'TVPI (x)', figure: (row) => row.tvpi, digits: 2, unknown: NO_NAV },
    {
      head: 'Net IRR (%)',
      numeric: true,
      cell: ({ netIrr }) =>
        netIrr?.percent == null ? (
          <Unknown reason={netIrr?.reason ?? NOT_ISSUED} />
        ) : (
          <Figure value={netIrr.percent} digits={2} zero="figure" />
        ),
    },
  ];
  const hasSeveral = new Set(rows.map(({ currency }) => currency)).size > 1;
  return (
    <TableSection
      title="Commitments"
      note={
        <>
          {hasSeveral ? 'each in its currency' : (rows[0]?.currency ?? '')} as of <DateText value={today} />
        </>
      }
      narrow="list"
      caption="Commitments of the investor"
      rows={rows}
      rowTo={(row) => paths.commitment(row.fundId, row.id)}
      empty={
        <EmptyState title="No commitments yet" action={<LinkButton to={paths.funds()}>Choose a fund</LinkButton>}>
          Add commitments on the fund’s page.
        </EmptyState>
      }
      columns={[
        {
          head: 'Fund',
          cell: (row) => (
            <>
              {row.fundTitle ? <Name length={40}>{row.fundTitle}</Name> : <Unknown />}
              {row.className ? <span className="block text-xs text-ink-3">{classTitle(row.className)}</span> : null}
            </>
          ),
        },
        { head: 'Committed', money: money(({ active }) => active), withCurrency: hasSeveral, unknown: NOT_ISSUED },
        ...(withFigures ? figures : []),
        { head: 'Status', status: (row) => row.status },
      ]}
    />
  );
}

function WhoIsTold({
  id,
  told,
  mayWrite,
}: {
  /** Of the investor. */
  id: string;
  told: NonNullable<Overview['tab']['told']>;
  mayWrite: boolean;
}) {
  return (
    <TableSection
      title="Who is told"
      note="of calls, distributions, statements and reports"
      narrow="list"
      rows={told.map((one, index) => ({ ...one, key: `${index}` }))}
      rowKey={({ key }) => key}
      empty={
        <EmptyState
          title="Nobody is told"
          action={
            mayWrite ? <LinkButton to={paths.newUser({ organization: `LP/${id}` })}>Invite a user</LinkButton> : null
          }
        >
          Invite a user of the investor, or add a contact with an email to its entity.
        </EmptyState>
      }
      columns={[
        { head: 'Name', cell: ({ name }) => name ?? <Unknown reason="You may not read who this is" /> },
        { head: 'Email', cell: ({ email }) => email ?? <Unknown reason="You may not read who this is" /> },
        { head: 'As', quiet: true, cell: ({ by }) => TOLD_BY[by] },
      ]}
    />
  );
}

/** The net asset values of the investor: its funds down, quarters across, the latest first. */
function Navs({ navs }: { navs: NonNullable<Overview['tab']['navs']> }) {
  return (
    <TableSection
      title="Net asset values"
      note="net, by quarter, latest first; each in the currency of its fund"
      narrow="list"
      caption="Net asset values of the investor by quarter"
      rows={navs.rows}
      rowTo={(row) => paths.commitment(row.fundId, row.id)}
      empty={<EmptyState title="No NAV yet">Multiples and returns are n/a until the investor has a NAV.</EmptyState>}
      columns={[
        {
          head: 'Fund',
          cell: ({ fund, currency }) => (
            <>
              {fund === null ? <Unknown /> : <Name length={32}>{fund}</Name>}
              <span className="block text-xs text-ink-3">{currency}</span>
            </>
          ),
        },
        ...quarterColumns(navs),
      ]}
      below={
        <>
          <Pagination total={navs.total} limit={ROWS_PER_LIST} noun="commitments" />
          <Pagination total={navs.totalQuarters} limit={SHOWN_QUARTERS} noun="quarters" name={EARLIER_QUARTERS} />
        </>
      }
    />
  );
}

/** What the investor has committed and where it stands, and who is told of it. */
export const InvestorOverview = ({ page: { id, tab, mayWrite } }: { page: Overview }) => (
  <>
    {tab.commitments ? <Commitments commitments={tab.commitments} /> : null}
    {tab.navs && tab.commitments?.rows.length ? <Navs navs={tab.navs} /> : null}
    {tab.told ? <WhoIsTold id={id} told={tab.told} mayWrite={mayWrite} /> : null}
  </>
);
