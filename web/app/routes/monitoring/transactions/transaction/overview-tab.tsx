import { Link } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { APPROVED_NOT_DUE, NO_BALANCE, REQUESTED } from '@tapeline/domain/facilities/position-labels.ts';
import { limitDigits, Measured, Money, Name, Percent, ShareBar } from '../../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Columns, MoreLink, Panel, Section } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import { eventAmounts, eventKey, eventPath, eventTitle } from '../../../calendar/event-words.ts';
import { ItemsTable } from '../../deliverables/items-table.tsx';
import { RoomShare, UNMEASURED } from '../../overview/room-in-limits.tsx';
import type { ExplainedPool } from '../roll-forward.server.ts';
import type { FacilityTab } from '../transaction-page.server.ts';
import { AvailabilityChart } from './availability-chart.tsx';
import { LatestCertificate } from './latest-certificate.tsx';
import { NoteCovenants } from './note-covenants.tsx';
import { PoolSince } from './pool-since.tsx';
import { TimelineChart } from './timeline-chart.tsx';

type Overview = FacilityTab<'overview'>;

function Limits({ limits: { limits, total, breached } }: { limits: NonNullable<Overview['tab']['limits']> }) {
  const [first] = limits;
  const digits = limitDigits(limits);
  const state = breached === 0 ? 'all within limits' : `${formatCount(breached, 'limit')} in breach`;
  return (
    <TableSection
      title="Limits"
      note={total === 0 ? undefined : `${state}, nearest first`}
      more={first ? <MoreLink to={paths.borrowingBase(first.baseId)}>All {formatFigure(total)}</MoreLink> : null}
      narrow="cards"
      rows={limits}
      rowKey={(limit) => `${limit.rule}/${limit.title}`}
      rowTo={(limit) => `${paths.borrowingBase(limit.baseId)}?rule=${limit.rule}`}
      columns={[
        { head: 'Limit', card: 'name', name: (limit) => limit.title, length: 44 },
        {
          head: 'Now',
          card: 'amount',
          measured: ({ unit, measured, currency }) => ({ unit, value: measured, currency, digits }),
          unknown: UNMEASURED,
        },
        {
          head: 'Agreed',
          card: 'date',
          numeric: true,
          cell: ({ unit, limit, currency }) => (
            <>
              <span className="sm:hidden">agreed </span>
              <Measured unit={unit} value={limit} currency={currency} digits={digits} unknown={UNMEASURED} />
            </>
          ),
        },
        {
          head: 'Headroom, % of limit',
          card: 'state',
          numeric: true,
          cell: (limit) => <RoomShare limit={limit} />,
        },
      ]}
      empty={
        <EmptyState title="No concentration limits">
          Limits of the contract appear here with its first borrowing base.
        </EmptyState>
      }
    />
  );
}

function OpenDraws({ page: { tab, transaction, note, mayRequestDraw, views } }: { page: Overview }) {
  if (!tab.draws) return null;
  const { draws, total } = tab.draws;
  return (
    <Section
      title="Open draws"
      note={String(total)}
      more={
        views.includes('draws') ? (
          <MoreLink to={paths.transaction(transaction.id, { note: note.id, view: 'draws' })}>
            All draws and repayments
          </MoreLink>
        ) : null
      }
    >
      <Panel>
        {draws.length === 0 ? (
          <EmptyState
            title="No draw waits for a decision"
            action={
              mayRequestDraw ? <LinkButton to={paths.newDraw({ note: note.id })}>Request a draw</LinkButton> : null
            }
          />
        ) : null}
        <ul className="divide-y divide-line">
          {draws.map(({ id, code, status, amounts, dueDate, requestedOn, exceptions }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-5 gap-y-1 px-3.5 py-2.5 text-sm">
              <span className="min-w-36 flex-1">
                <b className="font-medium">Draw {code}</b>
                <span className="block text-xs text-ink-2">requested {formatCalendarDate(requestedOn)}</span>
              </span>
              <span className="text-right max-sm:text-left">
                {amounts.map((amount) => (
                  <b key={amount.currency} className="block font-medium">
                    <Money value={amount} withCurrency />
                  </b>
                ))}
                <span className="block text-xs text-ink-2">due {formatCalendarDate(dueDate)}</span>
              </span>
              <span className="min-w-32">
                {exceptions.length > 0 ? (
                  <>
                    <Chip tone="danger">{formatCount(exceptions.length, 'exception')}</Chip>
                    <span className="mt-0.5 block max-w-64 text-xs text-ink-2">{exceptions[0]}</span>
                  </>
                ) : (
                  <Chip tone="good">All checks pass</Chip>
                )}
              </span>
              <LinkButton to={paths.draw(id)}>
                {status === 'In Review' ? 'Continue review' : 'Review'}
                <span className="sr-only"> draw {code}</span>
              </LinkButton>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}

function NextDates({ tab: { dates, userType } }: { tab: Overview['tab'] }) {
  return (
    <Section title="Next dates" more={<MoreLink to={paths.calendar()}>Calendar</MoreLink>}>
      <Panel>
        {dates.length === 0 ? <EmptyState title="Nothing is due in the next 12 months" /> : null}
        <ul className="divide-y divide-line">
          {dates.map((event) => {
            const to = eventPath(event, userType);
            const title = <Name length={60}>{eventTitle(event)}</Name>;
            return (
              <li key={eventKey(event)} className="relative flex gap-3 px-3.5 py-2 text-sm hover:bg-hover">
                <b className="w-24 flex-none font-medium">{formatCalendarDate(event.day)}</b>
                <span className="min-w-0 flex-1 text-ink-2">
                  {to ? (
                    <Link to={to} prefetch="intent" className="after:absolute after:inset-0 hover:text-accent">
                      {title}
                    </Link>
                  ) : (
                    title
                  )}
                </span>
                <span className="figures text-right">
                  {eventAmounts(event).map((amount) => (
                    <span key={amount} className="block">
                      {amount}
                    </span>
                  ))}
                </span>
              </li>
            );
          })}
        </ul>
      </Panel>
    </Section>
  );
}

/** How far each note is drawn, for a transaction with several. */
function Utilization({ page: { tab, note, transaction } }: { page: Overview }) {
  if (tab.notes.length < 2) return null;
  return (
    <TableSection
      title="Utilization"
      note="balance today; unknown without draws"
      narrow="list"
      caption="Utilization by note"
      rows={tab.notes}
      rowTo={({ id }) => paths.transaction(transaction.id, { note: id })}
      isShown={({ id }) => id === note.id}
      columns={[
        { head: 'Note', name: (row) => row.title },
        { head: 'Currency', quiet: true, cell: (row) => row.utilization.mainCurrency ?? 'n/a' },
        {
          head: 'Commitments in force',
          money: (row) => row.utilization.commitments,
          unknown: 'No commitment, or no rate to convert it',
        },
        { head: 'Balance', money: (row) => row.utilization.balance, unknown: NO_BALANCE },
        { head: APPROVED_NOT_DUE, money: (row) => row.utilization.approved, unknown: NO_BALANCE },
        { head: REQUESTED, money: (row) => row.utilization.requested, unknown: NO_BALANCE },
        { head: 'Undrawn', money: (row) => row.utilization.undrawn, unknown: NO_BALANCE },
        {
          head: 'Balance of commitments',
          numeric: true,
          cell: ({ utilization: { utilizationPercent } }) => (
            <span className="inline-flex items-center gap-2">
              {utilizationPercent === null ? null : <ShareBar fraction={utilizationPercent / 100} />}
              <Percent value={utilizationPercent} digits={1} unknown={NO_BALANCE} />
            </span>
          ),
        },
      ]}
    />
  );
}

export function OverviewTab({ page, forward }: { page: Overview; forward: ExplainedPool | null }) {
  const { tab, utilization } = page;
  const dates = <NextDates tab={tab} />;
  return (
    <>
      <Columns split="wide">
        <div className="min-w-0">
          {tab.seesBases ? <AvailabilityChart bases={tab.bases} commitments={utilization.commitments} /> : null}
          {tab.limits && tab.certificate ? <Limits limits={tab.limits} /> : null}
          <NoteCovenants page={page} />
          {tab.deliverables.length > 0 ? (
            <ItemsTable
              items={tab.deliverables}
              addTo={null}
              allTo={paths.deliverables({ company: tab.deliverables[0]?.companyId ?? null })}
            />
          ) : null}
          {/* Both columns are about as long. */}
          {forward ? dates : null}
        </div>
        <div className="min-w-0">
          {tab.seesBases ? <LatestCertificate certificate={tab.certificate} /> : null}
          {forward && tab.certificate?.before ? (
            <PoolSince forward={forward} before={tab.certificate.before} now={tab.certificate.cutOffDate} />
          ) : null}
          {forward ? null : dates}
        </div>
      </Columns>
      <OpenDraws page={page} />
      <Utilization page={page} />
      <TimelineChart page={page} />
    </>
  );
}
