import { Link } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { formatAmount } from '@tapeline/domain/money/format-figure.ts';
import { NO_NAV } from '@tapeline/domain/returns/irr.ts';
import { ArrowDownToLine, ArrowUpFromLine, File, Files } from 'lucide-react';
import { Figure, Money, Unknown } from '../../../components/figures/figures.tsx';
import { formatCount, formatFigure, formatShort } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Columns, MoreLink, Panel, PanelSection, Section } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import { KIND_NAMES } from '../../documents/document-table.tsx';
import { CapitalChart } from '../../home/course-charts.tsx';
import type { FundTab } from './fund-page.server.ts';
import { TimelineBand } from './timeline-band.tsx';

type Overview = FundTab<'overview'>;

/** What was paid back, what is left, and both, per unit called. */
function MultiplesStrip({ capital: { dpi, tvpi, distributed, nav, called } }: Pick<Overview, 'capital'>) {
  const short = (value: string | null) => (value === null ? 'n/a' : formatShort(value));
  const rvpi = dpi === null || tvpi === null ? null : Number(tvpi) - Number(dpi);
  const items: [label: string, value: number | null, parts: string][] = [
    ['DPI', dpi === null ? null : Number(dpi), `${short(distributed)} ÷ ${short(called)}`],
    ['RVPI', rvpi, `${short(nav)} ÷ ${short(called)}`],
    ['TVPI', tvpi === null ? null : Number(tvpi), 'DPI + RVPI'],
  ];
  return (
    <dl className="relative -mt-[33px] mb-[26px] grid grid-cols-3 gap-px overflow-hidden rounded-b-lg border border-line bg-line text-sm max-sm:grid-cols-1">
      {items.map(([label, value, parts]) => (
        <div key={label} className="flex flex-wrap items-baseline gap-x-2 bg-paper px-3.5 py-2">
          <dt className="text-ink-2">{label}</dt>
          <dd className="figures text-base font-semibold">
            {value === null ? <Unknown reason={NO_NAV} /> : `${formatFigure(value, 2)}x`}
          </dd>
          <dd className="figures ml-auto text-xs text-ink-3">{parts}</dd>
        </div>
      ))}
    </dl>
  );
}

function Classes({ page: { tab, currency, isInvestor } }: { page: Overview }) {
  if (tab.classes.length === 0) return null;
  return (
    <TableSection
      title={
        isInvestor ? 'Your commitments' : tab.classes.every(({ name }) => name === null) ? 'Commitments' : 'Classes'
      }
      note={currency}
      narrow="list"
      rows={tab.classes}
      rowKey={(row) => row.name ?? ''}
      columns={[
        { head: 'Class', cell: (row) => row.name ?? 'No classes' },
        ...(isInvestor ? [] : [{ head: 'Investors', figure: (row: (typeof tab.classes)[number]) => row.investors }]),
        { head: 'Committed', short: (row) => row.activeCommitment, digits: 2 },
        { head: 'Called', short: (row) => row.called, digits: 2 },
        { head: 'Unfunded', short: (row) => row.unfunded, digits: 2 },
        { head: 'NAV', short: (row) => row.nav, digits: 2, unknown: NO_NAV },
        {
          head: 'Net IRR (%)',
          numeric: true,
          cell: ({ netIrr }) =>
            netIrr.percent === null ? <Unknown reason={netIrr.reason} /> : <Figure value={netIrr.percent} digits={1} />,
        },
      ]}
    />
  );
}

function Fees({ page: { tab, id, currency } }: { page: Overview }) {
  if (!tab.fees) return null;
  const { from, until, management, called, paid, accrued, withSuccess } = tab.fees;
  const lines: [title: string, note: string, value: string | null][] = [
    [
      `Management fee, ${formatCalendarDate(from)} to ${formatCalendarDate(until)}`,
      `${formatAmount({ sum: called, currency })} called for it`,
      management,
    ],
    ...(withSuccess
      ? ([
          ['Success fee, paid out so far', 'to the manager', paid],
          ['Success fee, with the NAV', 'if the gross NAV were paid out', accrued],
        ] as [string, string, string | null][])
      : []),
  ];
  return (
    <Section
      title="Fees"
      note={currency}
      more={<MoreLink to={`${paths.fund(id, { view: 'terms' })}#fees`}>How they are calculated</MoreLink>}
    >
      <Panel>
        <ul className="divide-y divide-line">
          {lines.map(([title, note, value]) => (
            <li key={title} className="flex items-baseline gap-3 px-3.5 py-2 text-sm">
              <span className="min-w-0 flex-1">
                <span className="font-medium">{title}</span>
                <span className="block text-xs text-ink-2">{note}</span>
              </span>
              <Money value={value} zero="figure" unknown="Unknown for an investor" />
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}

function Activity({ page }: { page: Overview }) {
  const { tab, id, currency, mayCall } = page;
  if (!page.tabs.some(({ view }) => view === 'activity')) return null;
  const { rows, total } = tab.activity;
  return (
    <Section
      title="Latest activity"
      note={currency}
      more={total > 0 ? <MoreLink to={paths.fund(id, { view: 'activity' })}>All {formatFigure(total)}</MoreLink> : null}
    >
      <Panel>
        {rows.length === 0 ? (
          <EmptyState
            title="Nothing was called or distributed yet"
            action={
              mayCall && page.investors > 0 ? (
                <LinkButton to={paths.newCapitalCall({ fund: id })}>New capital call</LinkButton>
              ) : null
            }
          >
            {page.investors === 0 ? 'Capital is called from those who have committed to the fund.' : null}
          </EmptyState>
        ) : null}
        <ul className="divide-y divide-line">
          {rows.map(({ kind, id: header, callNumber, day, amount, status }) => {
            const Icon = kind === 'call' ? ArrowDownToLine : ArrowUpFromLine;
            return (
              <li key={header} className="relative flex items-center gap-3 px-3.5 py-2 text-sm hover:bg-hover">
                <Icon aria-hidden="true" size={15} strokeWidth={1.75} className="flex-none text-ink-3" />
                <span className="min-w-0 flex-1">
                  <Link
                    to={kind === 'call' ? paths.capitalCall(header) : paths.distribution(header)}
                    prefetch="intent"
                    className="font-medium after:absolute after:inset-0 hover:text-accent"
                  >
                    {kind === 'call' ? 'Capital call' : 'Distribution'} {callNumber}
                  </Link>
                  <span className="block text-xs text-ink-2">
                    {kind === 'call' ? 'due ' : ''}
                    {formatCalendarDate(day)}
                  </span>
                </span>
                <span className="figures">
                  {kind === 'call' ? '' : '−'}
                  <Money value={amount} zero="figure" />
                </span>
                <span className="w-24 flex-none text-right">
                  <StatusChip status={status} />
                </span>
              </li>
            );
          })}
        </ul>
      </Panel>
    </Section>
  );
}

function Documents({ page: { tab, id, isInvestor } }: { page: Overview }) {
  const { events, total } = tab.documents;
  const to = paths.fund(id, { view: 'documents' });
  return (
    <Section
      title="Documents"
      note="latest"
      more={total > 0 ? <MoreLink to={to}>All {formatFigure(total)}</MoreLink> : null}
    >
      <Panel>
        {events.length === 0 ? (
          <EmptyState title="No documents yet">Notices, statements and reports are listed here.</EmptyState>
        ) : null}
        <ul className="divide-y divide-line">
          {events.map(({ kind, cutOffDate, count, fileId }) => {
            const Icon = count === 1 ? File : Files;
            return (
              <li
                key={`${kind}/${cutOffDate}/${fileId ?? ''}`}
                className="relative flex items-center gap-3 px-3.5 py-2 text-sm hover:bg-hover"
              >
                <Icon aria-hidden="true" size={15} strokeWidth={1.75} className="flex-none text-ink-3" />
                <span className="min-w-0 flex-1">
                  <Link
                    to={fileId ? paths.document(fileId) : paths.fund(id, { view: 'documents', kind })}
                    className="font-medium after:absolute after:inset-0 hover:text-accent"
                  >
                    {KIND_NAMES[kind]}
                    {count === 1 ? '' : 's'}
                  </Link>
                  <span className="block text-xs text-ink-2">
                    {isInvestor && count === 1 ? '' : `${formatCount(count, 'PDF')}, `}
                    {formatCalendarDate(cutOffDate)}
                  </span>
                </span>
              </li>
            );
          })}
        </ul>
      </Panel>
    </Section>
  );
}

export function OverviewPanel({ page }: { page: Overview }) {
  const { id, tab, today, capital } = page;
  return (
    <>
      <Columns split="wide">
        <div className="min-w-0">
          {tab.course ? (
            <>
              <CapitalChart course={tab.course} isTall />
              {tab.course.points.length > 1 ? <MultiplesStrip capital={capital} /> : null}
            </>
          ) : null}
          <Classes page={page} />
          <Fees page={page} />
        </div>
        <div className="min-w-0">
          <Activity page={page} />
          <Documents page={page} />
        </div>
      </Columns>
      {tab.timeline.length > 0 ? (
        <PanelSection
          title="Timeline"
          note={`today ${formatCalendarDate(today)}`}
          more={<MoreLink to={`${paths.fund(id, { view: 'terms' })}#timeline`}>Planned and actual</MoreLink>}
          padded
        >
          <TimelineBand timeline={tab.timeline} today={today} />
        </PanelSection>
      ) : null}
    </>
  );
}
