import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { classTitle } from '@tapeline/domain/funds/class-title.ts';
import { NO_NAV } from '@tapeline/domain/returns/irr.ts';
import { FileSpreadsheet } from 'lucide-react';
import { DateText, Figure, Money, Name, Percent, ShareBar, Unknown } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { StatusChip } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { MoreLink, Panel, Section } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';
import type { DashboardView } from './dashboard.server.ts';

type Present<Key extends keyof DashboardView> = NonNullable<DashboardView[Key]>;

export function LatestTapes({ tapes }: { tapes: Present<'tapes'> }) {
  return (
    <Section title="Latest tapes" more={<MoreLink to={paths.tapes()}>All tapes</MoreLink>}>
      <Panel>
        <DataTable
          narrow="list"
          caption="Latest tapes"
          rows={tapes.latest}
          rowTo={(tape) => paths.tape(tape.id)}
          empty={
            <EmptyState
              icon={FileSpreadsheet}
              title="No tapes yet"
              action={tapes.mayUpload ? <LinkButton to={paths.newTape()}>Upload a tape</LinkButton> : null}
            >
              A loan tape lists the borrower’s loans at a cut-off date. Borrowing bases are calculated from it.
            </EmptyState>
          }
          columns={[
            { key: 'name', head: 'Tape', cell: ({ name }) => <Name>{name}</Name> },
            { key: 'cutOff', head: 'Cut-off', cell: ({ cutOffDate }) => <DateText value={cutOffDate} /> },
            {
              key: 'assets',
              head: 'Assets',
              numeric: true,
              wideOnly: true,
              cell: ({ counts }) => <Figure value={counts?.assets ?? null} unknown="This tape is not published" />,
            },
            {
              key: 'errored',
              head: 'Errored',
              numeric: true,
              cell: ({ counts }) => <Figure value={counts?.errored ?? null} unknown="This tape is not published" />,
            },
            { key: 'state', head: 'Status', cell: ({ state }) => <StatusChip status={state} /> },
          ]}
        />
      </Panel>
    </Section>
  );
}

const asOf = (date: string): string => `as of ${formatCalendarDate(date)}`;
/** How much of all that there is a list shows. */
const firstOf = (shown: number, total: number): string[] =>
  shown < total ? [`the first ${shown} of ${formatFigure(total)}`] : [];

/** The funds with the most called capital, each against its commitments. */
export function FundsTable({ funds, date }: { funds: Present<'funds'>; date: string }) {
  const { currency } = funds.capital;
  return (
    <Section
      title="Called against commitments"
      note={['most called first', ...firstOf(funds.funds.length, funds.fundsTotal), currency, asOf(date)].join(', ')}
      more={<MoreLink to={paths.funds()}>All funds</MoreLink>}
    >
      <Panel>
        <DataTable
          caption="Funds with their called capital and commitments"
          rows={funds.funds}
          rowTo={(fund) => paths.fund(fund.id)}
          empty={<EmptyState title="No funds yet">Funds appear here with their investor commitments.</EmptyState>}
          columns={[
            { key: 'title', head: 'Fund', cell: ({ title }) => <Name>{title}</Name> },
            {
              key: 'share',
              head: 'Called of commitments',
              cell: ({ called, activeCommitment }) => {
                const share = Number(activeCommitment) > 0 ? Number(called) / Number(activeCommitment) : null;
                return share === null ? (
                  <Unknown reason="Nothing is committed" />
                ) : (
                  <span className="inline-flex items-center gap-2">
                    <ShareBar fraction={share} width="w-28 max-sm:w-16" />
                    <Percent value={(share * 100).toFixed(2)} digits={1} zero="figure" />
                  </span>
                );
              },
            },
            {
              key: 'committed',
              head: 'Committed',
              numeric: true,
              cell: ({ activeCommitment }) => <Money value={activeCommitment} />,
            },
            { key: 'called', head: 'Called', numeric: true, cell: ({ called }) => <Money value={called} /> },
            { key: 'unfunded', head: 'Unfunded', numeric: true, cell: ({ unfunded }) => <Money value={unfunded} /> },
            {
              key: 'distributed',
              head: 'Distributed',
              numeric: true,
              cell: ({ distributed }) => <Money value={distributed} />,
            },
            {
              key: 'nav',
              head: 'NAV',
              numeric: true,
              cell: ({ nav, covers }) => (
                <>
                  <Money value={nav} unknown={NO_NAV} />
                  {covers && nav !== null ? <span className="block text-xs text-ink-3">{covers}</span> : null}
                </>
              ),
            },
            {
              key: 'tvpi',
              head: 'TVPI (x)',
              numeric: true,
              cell: ({ tvpi }) => <Figure value={tvpi} digits={2} unknown={NO_NAV} />,
            },
          ]}
        />
      </Panel>
    </Section>
  );
}

/** The investors with the largest commitments. */
export function TopInvestors({ funds, date }: { funds: Present<'funds'>; date: string }) {
  return (
    <Section
      title="Top investors"
      note={[
        'by commitment',
        ...firstOf(funds.investors.length, funds.investorsTotal),
        funds.capital.currency,
        asOf(date),
      ].join(', ')}
      more={<MoreLink to={paths.investors()}>All investors</MoreLink>}
    >
      <Panel>
        <DataTable
          caption="Investors with the largest commitments"
          rows={funds.investors}
          empty={<EmptyState title="No commitments yet">Investors are listed here by what they committed.</EmptyState>}
          columns={[
            { key: 'title', head: 'Investor', cell: ({ title }) => <Name>{title}</Name> },
            { key: 'amount', head: 'Committed', numeric: true, cell: ({ amount }) => <Money value={amount} /> },
            {
              key: 'share',
              head: 'Share',
              numeric: true,
              cell: ({ percentage }) => (
                <span className="inline-flex items-center gap-2">
                  <Percent value={percentage} />
                  <ShareBar fraction={Number(percentage) / 100} />
                </span>
              ),
            },
          ]}
        />
      </Panel>
    </Section>
  );
}

/** How much of a commitment is called, is due, and is not called. */
function CalledBar({ called, toPay, committed }: { called: string; toPay: string; committed: string }) {
  const percentOf = (value: string) => (Number(committed) > 0 ? (Number(value) / Number(committed)) * 100 : 0);
  const [calledPercent, duePercent] = [percentOf(called), percentOf(toPay)];
  return (
    <span className="inline-block">
      <span aria-hidden="true" className="flex h-1.5 w-36 overflow-hidden rounded-full bg-line">
        <span style={{ width: `${Math.min(100, calledPercent)}%`, background: 'var(--chart-1)' }} />
        <span style={{ width: `${Math.min(100, duePercent)}%`, background: 'var(--chart-3)' }} />
      </span>
      <span className="figures text-xs text-ink-3">
        {calledPercent.toFixed(1)}% called{duePercent > 0 ? `, ${duePercent.toFixed(1)}% due` : ''}
      </span>
    </span>
  );
}

export function Commitments({ commitments, date }: { commitments: Present<'commitments'>; date: string }) {
  const { positions, total, capital } = commitments;
  const currencies = new Set(positions.map(({ currency }) => currency));
  const showsInvestor = new Set(positions.map(({ investorId }) => investorId)).size > 1;
  const [currency] = currencies;
  const isOne = currencies.size < 2;
  const money = (value: string | null, of: string) => (
    <Money value={value === null ? null : { sum: value, currency: of }} withCurrency={!isOne} unknown={NO_NAV} />
  );
  return (
    <Section
      title="My commitments"
      note={[
        ...firstOf(positions.length, total),
        ...(isOne && currency ? [currency] : []),
        asOf(date),
        ...(capital.covers ? [`NAV and returns above: ${capital.covers}`] : []),
      ].join(', ')}
    >
      <Panel>
        <DataTable
          narrow="list"
          caption="My commitments"
          rows={positions}
          rowKey={(one) => one.commitmentId}
          rowTo={({ fundId }) => paths.fund(fundId)}
          empty={
            <EmptyState title="No commitments yet">
              Your commitments appear here after the fund manager records them.
            </EmptyState>
          }
          columns={[
            {
              key: 'fund',
              head: 'Fund',
              cell: ({ fundTitle, className, investorTitle }) => (
                <>
                  <Name>{fundTitle}</Name>
                  {className || showsInvestor ? (
                    <span className="block text-xs text-ink-3">
                      {[
                        ...(className ? [classTitle(className).replace(/^c/, 'C')] : []),
                        ...(showsInvestor ? [investorTitle] : []),
                      ].join(', ')}
                    </span>
                  ) : null}
                </>
              ),
            },
            {
              key: 'share',
              head: 'Called of commitment',
              cell: ({ called, toPay, activeCommitment }) => (
                <CalledBar called={called} toPay={toPay} committed={activeCommitment} />
              ),
            },
            {
              key: 'committed',
              head: 'Commitment',
              numeric: true,
              cell: (one) => money(one.activeCommitment, one.currency),
            },
            { key: 'called', head: 'Called', numeric: true, cell: (one) => money(one.called, one.currency) },
            { key: 'unfunded', head: 'Unfunded', numeric: true, cell: (one) => money(one.unfunded, one.currency) },
            {
              key: 'distributed',
              head: 'Distributed',
              numeric: true,
              cell: (one) => money(one.distributed, one.currency),
            },
            { key: 'nav', head: 'NAV', numeric: true, cell: (one) => money(one.nav, one.currency) },
            {
              key: 'tvpi',
              head: 'TVPI (x)',
              numeric: true,
              cell: ({ tvpi }) => <Figure value={tvpi} digits={2} unknown={NO_NAV} />,
            },
            {
              key: 'irr',
              head: 'Net IRR (%)',
              numeric: true,
              cell: ({ netIrr }) => <Figure value={netIrr.percent} digits={1} unknown={netIrr.reason ?? undefined} />,
            },
          ]}
        />
      </Panel>
    </Section>
  );
}

export function Tenants({ tenants }: { tenants: Present<'tenants'> }) {
  return (
    <Section
      title="Tenants"
      note={
        tenants.managers.length < tenants.total
          ? `the first ${tenants.managers.length} of ${formatCount(tenants.total, 'manager')}`
          : formatCount(tenants.total, 'manager')
      }
    >
      <Panel>
        <DataTable
          caption="Managers and their funds, investors and companies"
          rows={tenants.managers}
          empty={
            <EmptyState title="No managers yet">A manager operates funds and lends through transactions.</EmptyState>
          }
          columns={[
            { key: 'name', head: 'Manager', cell: ({ name }) => <Name>{name}</Name> },
            { key: 'funds', head: 'Funds', numeric: true, cell: ({ funds }) => <Figure value={funds} /> },
            {
              key: 'investors',
              head: 'Investors',
              numeric: true,
              cell: ({ investors }) => <Figure value={investors} />,
            },
            {
              key: 'companies',
              head: 'Companies',
              numeric: true,
              cell: ({ companies }) => <Figure value={companies} />,
            },
          ]}
        />
      </Panel>
    </Section>
  );
}
