import { Link } from '@remix-run/react';
import { wireFacts } from '@tapeline/domain/capital/notice-parts.ts';
import { businessDaysBetween, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { classTitle } from '@tapeline/domain/funds/class-title.ts';
import { NO_NAV } from '@tapeline/domain/returns/irr.ts';
import { ArrowDownToLine, CircleCheck, Landmark, Megaphone } from 'lucide-react';
import { classNames } from '../../components/class-names.ts';
import { Money, Mono, Name, Unknown } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { Facts, MoreLink, Panel, Section } from '../../components/page/section.tsx';
import { TableSection } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';
import { OwnRead } from '../documents/document-table.tsx';
import type { HomeView } from './home.server.ts';
import { payTo } from './pay-to.ts';

type Own = NonNullable<HomeView['own']>;
type Call = Own['calls'][number];

/** "in 9 business days", "tomorrow". */
function dueWords(dueDate: string, today: string): string {
  const days = businessDaysBetween(today, dueDate);
  return `due ${formatCalendarDate(dueDate)}, in ${formatCount(days, 'business day')}`;
}

/** What to pay, where to and by when, in one line. All payment details open below it, without JavaScript too. */
function CallCard({ call, today, showsInvestor }: { call: Call; today: string; showsInvestor: boolean }) {
  const { currency, payment, amount } = call;
  const facts = payment?.wire ? wireFacts(payment.wire, payment.reference) : [];
  return (
    <Panel className="mb-2 last:mb-0">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-2">
        <ArrowDownToLine
          aria-hidden="true"
          size={18}
          strokeWidth={1.75}
          className="-mr-3 flex-none text-accent max-sm:hidden"
        />
        <div className="min-w-44 flex-1">
          <h3 className="text-base font-semibold">Capital call {call.callNumber}</h3>
          <p className="text-xs text-ink-2">
            {call.fund ? <Name length={60}>{call.fund}</Name> : <Unknown />}
            {showsInvestor && call.investor ? ` · ${call.investor}` : null}
            {call.issuedOn ? ` · issued ${formatCalendarDate(call.issuedOn)}` : null}
          </p>
        </div>
        <div className="min-w-44 flex-1 text-sm">
          <p>{facts.length > 0 ? `Pay to ${payTo(facts)}` : 'Ask the fund manager where to pay'}</p>
          {payment ? (
            <p className="text-xs text-ink-2">
              Reference <Mono>{payment.reference}</Mono>
            </p>
          ) : null}
        </div>
        <div className="sm:text-right">
          <p className="figures text-xl leading-6 font-semibold tracking-[-0.02em]">
            <Money value={amount} zero="figure" />
            <small className="ml-1 text-sm font-medium tracking-normal text-ink-3">{currency}</small>
          </p>
          <p className="text-xs font-medium text-warning">{dueWords(call.dueDate, today)}</p>
        </div>
        <LinkButton to={call.to} tone="primary" prefetch="intent">
          Open the call<span className="sr-only"> {call.callNumber}</span>
        </LinkButton>
      </div>
      {facts.length > 0 ? (
        <details className="border-t border-line">
          <summary className="flex cursor-pointer items-center gap-2 px-4 py-1.5 text-sm font-medium text-accent hover:underline max-sm:py-2.5">
            <Landmark aria-hidden="true" size={15} strokeWidth={1.75} />
            Payment details
          </summary>
          <div className="px-4 pt-1 pb-4">
            <Facts
              items={[
                { label: 'Amount', value: <Money value={{ sum: amount, currency }} withCurrency zero="figure" /> },
                ...facts.map(({ label, value, isCode }) => ({ label, value: isCode ? <Mono>{value}</Mono> : value })),
              ]}
            />
          </div>
        </details>
      ) : null}
    </Panel>
  );
}

/** What of all calls has arrived, and what of it is late, in each currency. */
const paidWords = ({ paid }: Pick<Own, 'paid'>): string[] =>
  paid.flatMap(({ totals: { currency, allocated, overdue } }) => [
    `${formatFigure(allocated, 2)} ${currency} received`,
    ...(Number(overdue) > 0 ? [`${formatFigure(overdue, 2)} ${currency} overdue`] : []),
  ]);

/** What an investor has to pay, what has arrived, and what it has not read. */
export function InvestorToday({ own, today }: { own: Own; today: string }) {
  const { calls, callsTotal, documents, announcements } = own;
  const unread = documents?.unread ?? 0;
  const note = [
    callsTotal > 0 ? formatCount(callsTotal, 'payment') : null,
    unread > 0 ? formatCount(unread, 'unread document') : null,
    ...paidWords(own),
  ].filter(Boolean);
  const [announcement] = announcements ?? [];
  return (
    <Section
      title="Today"
      note={note.join(', ')}
      more={callsTotal > calls.length ? <MoreLink to={paths.capitalCalls()}>All calls</MoreLink> : null}
    >
      {calls.map((call) => (
        <CallCard
          key={call.id}
          call={call}
          today={today}
          showsInvestor={new Set(calls.map(({ investor }) => investor)).size > 1}
        />
      ))}
      {announcement ? (
        <Panel className="mt-2">
          <Link
            to={paths.announcement(announcement.id)}
            prefetch="none"
            className="flex items-center gap-3 px-4 py-2 text-sm hover:bg-hover"
          >
            <Megaphone aria-hidden="true" size={16} strokeWidth={1.75} className="flex-none text-ink-2" />
            <span className="min-w-0 truncate">
              Announcement: <b className="font-[550]">{announcement.title}</b>
            </span>
            <span className="ml-auto flex-none font-medium text-accent">Read</span>
          </Link>
        </Panel>
      ) : null}
      {calls.length === 0 && !announcement ? (
        <p className="flex items-center gap-2 text-sm text-ink-2">
          <CircleCheck aria-hidden="true" size={16} strokeWidth={1.75} className="text-good" />
          {unread > 0 ? 'Nothing to pay' : 'Nothing needs your attention'}
        </p>
      ) : null}
    </Section>
  );
}

const KINDS = {
  call: 'Capital call notice',
  distribution: 'Distribution notice',
  statement: 'Account statement',
  report: 'Fund report',
} as const;

/** The documents of an investor who has some, unread ones first. */
export function InvestorDocuments({ found: { documents, total, unread } }: { found: NonNullable<Own['documents']> }) {
  const showsInvestor = new Set(documents.flatMap(({ investor }) => investor ?? [])).size > 1;
  return (
    <TableSection
      title="Documents"
      note={unread > 0 ? `${formatFigure(unread)} unread` : 'all read'}
      more={<MoreLink to={paths.documents()}>All {formatCount(total, 'document')}</MoreLink>}
      narrow="cards"
      caption="Your documents, unread ones first"
      rows={documents}
      rowKey={({ fileId }) => fileId}
      columns={[
        {
          head: 'Document',
          card: 'name',
          cell: ({ fileId, kind, number, cutOffDate, readAt }) => (
            <Link
              to={paths.document(fileId)}
              className={classNames('tap-text hover:text-accent hover:underline', readAt === null && 'font-[600]')}
            >
              {KINDS[kind]} {number ?? formatCalendarDate(cutOffDate)}
            </Link>
          ),
        },
        {
          head: 'Fund',
          card: 'date',
          cell: ({ party, investor }) => (
            <>
              {party === null ? <Unknown /> : <Name length={24}>{party}</Name>}
              {showsInvestor && investor ? <span className="block text-xs text-ink-3">{investor}</span> : null}
            </>
          ),
        },
        { head: 'Published', card: 'state', date: ({ publishedAt }) => publishedAt },
        { head: 'Read', card: 'amount', cell: ({ readAt }) => <OwnRead at={readAt} /> },
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

export function Commitments({
  commitments,
  date,
}: {
  commitments: NonNullable<HomeView['commitments']>;
  date: string;
}) {
  const { positions, total, capital } = commitments;
  const currencies = new Set(positions.map(({ currency }) => currency));
  const showsInvestor = new Set(positions.map(({ investorId }) => investorId)).size > 1;
  const [currency] = currencies;
  const isOne = currencies.size < 2;
  const money = (value: string | null, of: string) => (
    <Money value={value === null ? null : { sum: value, currency: of }} withCurrency={!isOne} unknown={NO_NAV} />
  );
  if (positions.length === 0) {
    return (
      <Section title="Commitments">
        <p className="text-sm text-ink-2">Your commitments appear here after the fund manager records them.</p>
      </Section>
    );
  }
  return (
    <TableSection
      title="Commitments"
      note={[
        ...(positions.length < total ? [`${positions.length} of ${formatFigure(total)}`] : []),
        ...(isOne && currency ? [currency] : []),
        `as of ${formatCalendarDate(date)}`,
        ...(capital.covers ? [`NAV and returns above: ${capital.covers}`] : []),
      ].join(', ')}
      more={<MoreLink to={paths.funds()}>All commitments</MoreLink>}
      narrow="cards"
      rows={positions}
      rowKey={(one) => one.commitmentId}
      rowTo={({ fundId }) => paths.fund(fundId)}
      columns={[
        {
          head: 'Fund',
          card: 'name',
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
          card: 'date',
          cell: ({ called, toPay, activeCommitment }) => (
            <CalledBar called={called} toPay={toPay} committed={activeCommitment} />
          ),
        },
        { head: 'Commitment', numeric: true, card: 'amount', cell: (one) => money(one.activeCommitment, one.currency) },
        { head: 'Called', numeric: true, cell: (one) => money(one.called, one.currency) },
        { head: 'Unfunded', numeric: true, cell: (one) => money(one.unfunded, one.currency) },
        { head: 'Distributed', numeric: true, cell: (one) => money(one.distributed, one.currency) },
        {
          head: 'NAV',
          numeric: true,
          card: 'state',
          cell: (one) => (
            <>
              <span className="sm:hidden">NAV </span>
              {money(one.nav, one.currency)}
            </>
          ),
        },
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
