import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { availabilityAfterRequests } from '@tapeline/domain/facilities/utilization.ts';
import { isNegative } from '@tapeline/domain/money/decimal.ts';
import { NO_NAV } from '@tapeline/domain/returns/irr.ts';
import { Figure, Money, Percent, ShareBar, ShortNumber, Unknown } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { MoreLink, Section } from '../../components/page/section.tsx';
import { TableSection } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';
import type { HomeView } from './home.server.ts';

type Present<Key extends keyof HomeView> = NonNullable<HomeView[Key]>;
type Note = Present<'lending'>['notes'][number];

const NO_BALANCE = 'No draws or repayments recorded yet';
const NO_BASE = 'No borrowing base calculated yet';

/** An empty part is one line with its first step. */
const Nothing = ({ title, children }: { title: string; children: string }) => (
  <Section title={title}>
    <p className="text-sm text-ink-2">{children}</p>
  </Section>
);

function Used({ note }: { note: Note }) {
  const { utilizationPercent: percent, availability } = note;
  if (percent === null) return <Unknown reason={NO_BALANCE} />;
  const isOver = percent > 100 || (availability !== null && isNegative(availability.sum));
  return (
    <span className="flex items-center justify-end gap-2">
      <Percent value={percent} digits={1} zero="figure" />
      <ShareBar fraction={percent / 100} tone={isOver ? 'danger' : 'chart-1'} width="w-8" />
    </span>
  );
}

/** What a figure is, on the card of a phone, which has no heads of columns. */
const OnPhone = ({ children }: { children: string }) => <span className="sm:hidden">{children} </span>;

/** The notes with the least left to draw. */
export function Facilities({ lending, isBorrower }: { lending: Present<'lending'>; isBorrower: boolean }) {
  const { notes, totals } = lending;
  if (notes.length === 0) return <Nothing title="Facilities">A facility appears here with its first note.</Nothing>;
  const currencies = new Set(
    notes.flatMap(({ netBB, balance }) => [netBB, balance].flatMap((one) => one?.currency ?? [])),
  );
  const [only] = currencies.size === 1 ? currencies : [];
  const short = (amount: Note['netBB'], unknown: string) => (
    <ShortNumber value={amount?.sum ?? null} digits={2} unknown={unknown} />
  );
  return (
    <TableSection
      title="Facilities"
      note={[
        ...(notes.length < totals.notes
          ? [`the ${notes.length} most used of ${formatCount(totals.notes, 'note')}`]
          : []),
        formatCalendarDate(totals.asOf),
        ...(only ? [only] : []),
      ].join(', ')}
      more={<MoreLink to={paths.monitoring()}>Monitoring</MoreLink>}
      caption="Notes with the least left to draw"
      narrow="cards"
      rows={notes}
      rowTo={({ transaction, id }) => paths.transaction(transaction, { note: id })}
      columns={[
        {
          head: 'Note',
          card: 'name',
          cell: ({ company, noteTitle }) => (
            <span className="flex max-w-44 max-sm:max-w-none" title={`${company}, ${noteTitle}`}>
              <span className="truncate">{company},</span>
              <span className="max-w-28 flex-none truncate whitespace-pre"> {noteTitle}</span>
            </span>
          ),
        },
        // Each note has one currency; the column is left out if all have the same.
        ...(only
          ? []
          : [
              {
                head: <span className="sm:sr-only">Currency</span>,
                quiet: true,
                cell: ({ netBB, balance }: Note) => netBB?.currency ?? balance?.currency ?? '',
              },
            ]),
        { head: 'Net base', numeric: true, cell: ({ netBB }) => short(netBB, NO_BASE) },
        {
          head: 'Balance',
          numeric: true,
          card: 'date',
          cell: ({ balance }) => (
            <>
              <OnPhone>balance</OnPhone>
              {short(balance, NO_BALANCE)}
            </>
          ),
        },
        {
          head: isBorrower ? 'After requests' : 'Availability',
          numeric: true,
          card: 'amount',
          cell: (note) => {
            const shown = isBorrower ? availabilityAfterRequests(note) : note.availability;
            return (
              <>
                {short(shown, note.netBB ? NO_BALANCE : NO_BASE)}
                {shown ? <small className="ml-1 text-ink-3 sm:hidden">{shown.currency}</small> : null}
              </>
            );
          },
        },
        { head: 'Used', numeric: true, card: 'state', cell: (note) => <Used note={note} /> },
      ]}
    />
  );
}

/** The funds with the most called capital. */
export function Funds({ funds, date }: { funds: Present<'funds'>; date: string }) {
  const { rows, total, capital } = funds;
  if (rows.length === 0) return <Nothing title="Funds">Funds appear here with their first commitments.</Nothing>;
  return (
    <TableSection
      title="Funds"
      note={[
        ...(rows.length < total ? [`the ${rows.length} with most called of ${formatCount(total, 'fund')}`] : []),
        formatCalendarDate(date),
        capital.currency,
      ].join(', ')}
      more={<MoreLink to={paths.funds()}>All funds</MoreLink>}
      caption="Funds with their called capital and NAV"
      narrow="cards"
      rows={rows}
      rowTo={({ id }) => paths.fund(id)}
      columns={[
        {
          head: 'Fund',
          card: 'name',
          cell: ({ title }) => (
            <span className="block max-w-44 truncate" title={title}>
              {title}
            </span>
          ),
        },
        {
          head: 'Committed',
          numeric: true,
          wideOnly: true,
          cell: ({ activeCommitment }) => <ShortNumber value={activeCommitment} digits={2} />,
        },
        {
          head: 'Called',
          numeric: true,
          card: 'date',
          cell: ({ called, activeCommitment }) => {
            const share = Number(activeCommitment) > 0 ? Number(called) / Number(activeCommitment) : null;
            return share === null ? (
              <Unknown reason="Nothing is committed" />
            ) : (
              <span className="inline-flex items-center gap-2">
                <OnPhone>called</OnPhone>
                <Percent value={(share * 100).toFixed(2)} digits={1} zero="figure" />
                <ShareBar fraction={share} width="w-11" />
              </span>
            );
          },
        },
        {
          head: 'NAV',
          numeric: true,
          card: 'amount',
          cell: ({ nav, covers }) => (
            <span title={covers ?? undefined}>
              <ShortNumber value={nav} digits={2} unknown={NO_NAV} />
              {covers && nav !== null ? <small className="ml-1 text-ink-3">part</small> : null}
            </span>
          ),
        },
        {
          head: 'TVPI (x)',
          numeric: true,
          card: 'state',
          cell: ({ tvpi }) => (
            <>
              <OnPhone>TVPI</OnPhone>
              <Figure value={tvpi} digits={2} unknown={NO_NAV} />
            </>
          ),
        },
      ]}
    />
  );
}

/** The latest draws of a borrower, with what became of them. */
export function OwnDraws({ draws: { draws, total } }: { draws: Present<'draws'> }) {
  if (total === 0) return <Nothing title="Draws">Draws that you request appear here with their status.</Nothing>;
  return (
    <TableSection
      title="Draws"
      note={draws.length < total ? `the latest ${draws.length} of ${formatFigure(total)}` : 'latest first'}
      more={<MoreLink to={paths.draws()}>All draws</MoreLink>}
      caption="Your latest draws"
      narrow="cards"
      rows={draws}
      rowTo={({ id }) => paths.draw(id)}
      columns={[
        { head: 'Draw', card: 'name', cell: ({ code }) => `Draw ${code}` },
        {
          head: 'Amount',
          numeric: true,
          card: 'amount',
          cell: ({ amounts }) =>
            amounts.map((amount) => (
              <span key={amount.currency} className="block">
                <Money value={amount} withCurrency />
              </span>
            )),
        },
        { head: 'Due', card: 'date', date: ({ dueDate }) => dueDate },
        { head: 'Status', card: 'state', status: ({ status }) => status },
      ]}
    />
  );
}

export function Managers({ installation }: { installation: Present<'installation'> }) {
  const { managers, total } = installation;
  if (managers.length === 0) return <Nothing title="Managers">Add the first manager under Managers.</Nothing>;
  return (
    <TableSection
      title="Managers"
      note={managers.length < total ? `the first ${managers.length} of ${formatCount(total, 'manager')}` : null}
      more={<MoreLink to={paths.managers()}>All managers</MoreLink>}
      narrow="cards"
      caption="Managers, what they have, and when one of their users was last here"
      rows={managers}
      rowTo={({ id }) => paths.manager(id)}
      columns={[
        { head: 'Manager', card: 'name', name: ({ name }) => name },
        { head: 'Funds', figure: ({ funds }) => funds },
        { head: 'Investors', figure: ({ investors }) => investors },
        { head: 'Borrowers', figure: ({ companies }) => companies },
        { head: 'Users', figure: ({ users }) => users },
        {
          head: 'Last visit',
          card: 'date',
          date: ({ lastVisited }) => lastVisited,
          unknown: 'None of its users has signed in',
        },
        { head: 'Status', card: 'state', status: ({ status }) => status },
      ]}
    />
  );
}
