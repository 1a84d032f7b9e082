import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { classTitle } from '@tapeline/domain/funds/class-title.ts';
import { NO_NAV } from '@tapeline/domain/returns/irr.ts';
import { FileSpreadsheet } from 'lucide-react';
import { Money, Name, Percent, ShareBar, Unknown } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { MoreLink } from '../../components/page/section.tsx';
import { TableSection } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';
import type { DashboardView } from './dashboard.server.ts';

type Present<Key extends keyof DashboardView> = NonNullable<DashboardView[Key]>;

export function LatestTapes({ tapes }: { tapes: Present<'tapes'> }) {
  return (
    <TableSection
      title="Latest tapes"
      more={<MoreLink to={paths.tapes()}>All tapes</MoreLink>}
      narrow="list"
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
        { head: 'Tape', name: ({ name }) => name },
        { head: 'Cut-off', date: ({ cutOffDate }) => cutOffDate },
        {
          head: 'Assets',
          figure: ({ counts }) => counts?.assets ?? null,
          wideOnly: true,
          unknown: 'This tape is not published',
        },
        { head: 'Errored', figure: ({ counts }) => counts?.errored ?? null, unknown: 'This tape is not published' },
        { head: 'Status', status: ({ state }) => state },
      ]}
    />
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
    <TableSection
      title="Called against commitments"
      note={['most called first', ...firstOf(funds.funds.length, funds.fundsTotal), currency, asOf(date)].join(', ')}
      more={<MoreLink to={paths.funds()}>All funds</MoreLink>}
      caption="Funds with their called capital and commitments"
      rows={funds.funds}
      rowTo={(fund) => paths.fund(fund.id)}
      empty={<EmptyState title="No funds yet">Funds appear here with their investor commitments.</EmptyState>}
      columns={[
        { head: 'Fund', name: ({ title }) => title },
        {
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
        { head: 'Committed', money: ({ activeCommitment }) => activeCommitment },
        { head: 'Called', money: ({ called }) => called },
        { head: 'Unfunded', money: ({ unfunded }) => unfunded },
        { head: 'Distributed', money: ({ distributed }) => distributed },
        {
          head: 'NAV',
          numeric: true,
          cell: ({ nav, covers }) => (
            <>
              <Money value={nav} unknown={NO_NAV} />
              {covers && nav !== null ? <span className="block text-xs text-ink-3">{covers}</span> : null}
            </>
          ),
        },
        { head: 'TVPI (x)', figure: ({ tvpi }) => tvpi, digits: 2, unknown: NO_NAV },
      ]}
    />
  );
}

/** The investors with the largest commitments. */
export function TopInvestors({ funds, date }: { funds: Present<'funds'>; date: string }) {
  return (
    <TableSection
      title="Top investors"
      note={[
        'by commitment',
        ...firstOf(funds.investors.length, funds.investorsTotal),
        funds.capital.currency,
        asOf(date),
      ].join(', ')}
      more={<MoreLink to={paths.investors()}>All investors</MoreLink>}
      caption="Investors with the largest commitments"
      rows={funds.investors}
      empty={<EmptyState title="No commitments yet">Investors are listed here by what they committed.</EmptyState>}
      columns={[
        { head: 'Investor', name: ({ title }) => title },
        { head: 'Committed', money: ({ amount }) => amount },
        {
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
    <TableSection
      title="My commitments"
      note={[
        ...firstOf(positions.length, total),
        ...(isOne && currency ? [currency] : []),
        asOf(date),
        ...(capital.covers ? [`NAV and returns above: ${capital.covers}`] : []),
      ].join(', ')}
      narrow="list"
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
          head: 'Called of commitment',
          cell: ({ called, toPay, activeCommitment }) => (
            <CalledBar called={called} toPay={toPay} committed={activeCommitment} />
          ),
        },
        { head: 'Commitment', numeric: true, cell: (one) => money(one.activeCommitment, one.currency) },
        { head: 'Called', numeric: true, cell: (one) => money(one.called, one.currency) },
        { head: 'Unfunded', numeric: true, cell: (one) => money(one.unfunded, one.currency) },
        { head: 'Distributed', numeric: true, cell: (one) => money(one.distributed, one.currency) },
        { head: 'NAV', numeric: true, cell: (one) => money(one.nav, one.currency) },
        { head: 'TVPI (x)', figure: ({ tvpi }) => tvpi, digits: 2, unknown: NO_NAV },
        {
          head: 'Net IRR (%)',
          figure: ({ netIrr }) => netIrr.percent,
          digits: 1,
          unknown: ({ netIrr }) => netIrr.reason ?? undefined,
        },
      ]}
    />
  );
}

export function Tenants({ tenants }: { tenants: Present<'tenants'> }) {
  return (
    <TableSection
      title="Tenants"
      note={
        tenants.managers.length < tenants.total
          ? `the first ${tenants.managers.length} of ${formatCount(tenants.total, 'manager')}`
          : formatCount(tenants.total, 'manager')
      }
      caption="Managers and their funds, investors and companies"
      rows={tenants.managers}
      empty={<EmptyState title="No managers yet">A manager operates funds and lends through transactions.</EmptyState>}
      columns={[
        { head: 'Manager', name: ({ name }) => name },
        { head: 'Funds', figure: ({ funds }) => funds },
        { head: 'Investors', figure: ({ investors }) => investors },
        { head: 'Companies', figure: ({ companies }) => companies },
      ]}
    />
  );
}
