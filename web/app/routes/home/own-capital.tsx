import { Link } from '@remix-run/react';
import { wireFacts } from '@tapeline/domain/capital/notice-parts.ts';
import { businessDaysBetween, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { ArrowDownToLine, Landmark } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../components/class-names.ts';
import { DateText, Money, Mono, Name, Unknown } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { buttonClass } from '../../components/forms/button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Columns, Facts, MoreLink, Panel, PanelSection, Section } from '../../components/page/section.tsx';
import { TableSection } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';
import { OwnDocuments } from '../capital/own-documents.tsx';
import { DownloadLink, OwnRead } from '../documents/document-table.tsx';
import type { DashboardView } from './dashboard.server.ts';

type Own = NonNullable<DashboardView['own']>;
type Call = NonNullable<Own['calls']>[number];

/** Lines of a call that its card shows; the notice has all of them. */
const PURPOSES_SHOWN = 3;

function dueWords(dueDate: string, today: string): string {
  const days = businessDaysBetween(today, dueDate);
  return `due ${formatCalendarDate(dueDate)}, in ${formatCount(days, 'business day')}`;
}

/** Where to pay a call. The field is closed at first and opens without JavaScript. */
function Payment({ call: { payment, currency, amount, id } }: { call: Call }) {
  const wire = payment?.wire ?? null;
  return (
    <details className="border-t border-line">
      <summary className="flex cursor-pointer items-center gap-2 px-4 py-2.5 text-sm font-medium text-accent hover:underline">
        <Landmark aria-hidden="true" size={15} strokeWidth={1.75} />
        Payment details
      </summary>
      <div className="px-4 pt-1 pb-4">
        {wire ? (
          <Facts
            items={[
              { label: 'Amount', value: <Money value={{ sum: amount, currency }} withCurrency zero="figure" /> },
              ...wireFacts(wire, payment?.reference ?? null).map(({ label, value, isCode }) => ({
                label,
                value: isCode ? <Mono>{value}</Mono> : value,
              })),
            ]}
          />
        ) : (
          <p id={`no-bank-${id}`} className="text-sm text-ink-2">
            The fund has no bank account on record. Ask the fund manager where to pay.
          </p>
        )}
      </div>
    </details>
  );
}

function CallCard({ call, today, showsInvestor }: { call: Call; today: string; showsInvestor: boolean }) {
  const { currency, purposes, unfunded } = call;
  const rest = purposes.slice(PURPOSES_SHOWN);
  const cells: [label: string, value: ReactNode][] = [
    ...purposes
      .slice(0, PURPOSES_SHOWN)
      .map(({ title, amount }): [string, ReactNode] => [title, <Money key="sum" value={amount} />]),
    ...(rest.length > 0 ? [['Other purposes', `${rest.length}, see the notice`] as [string, ReactNode]] : []),
    ['Unfunded before', <Money key="before" value={unfunded.before} zero="figure" />],
    ['Unfunded after', <Money key="after" value={unfunded.after} zero="figure" />],
  ];
  return (
    <Panel className="mb-2">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 p-4">
        <div className="flex min-w-52 flex-1 items-start gap-3">
          <ArrowDownToLine
            aria-hidden="true"
            size={18}
            strokeWidth={1.75}
            className="mt-0.5 flex-none text-accent max-sm:hidden"
          />
          <div className="min-w-0">
            <h3 className="text-base font-semibold">
              <Link to={call.to} prefetch="intent" className="hover:text-accent">
                Capital call {call.callNumber}
              </Link>
            </h3>
            <p className="text-xs text-ink-2">
              {call.fund ? <Name length={60}>{call.fund}</Name> : <Unknown />}
              {showsInvestor && call.investor ? ` · ${call.investor}` : null}
              {call.issuedOn ? ` · issued ${formatCalendarDate(call.issuedOn)}` : null}
            </p>
          </div>
        </div>
        <div>
          <p className="figures text-2xl leading-8 font-semibold tracking-[-0.02em]">
            <Money value={call.amount} zero="figure" />
            <small className="ml-1 text-sm font-medium tracking-normal text-ink-3">{currency}</small>
          </p>
          <p className="text-xs font-medium text-warning">{dueWords(call.dueDate, today)}</p>
        </div>
        {call.noticeId ? (
          <a href={paths.download(call.noticeId)} className={buttonClass()}>
            Notice
          </a>
        ) : null}
      </div>
      <dl className="flex flex-wrap gap-px border-t border-line bg-line text-sm">
        {cells.map(([label, value]) => (
          <div key={label} className="min-w-36 flex-auto bg-paper px-4 py-2">
            <dt className="text-xs text-ink-3">
              <Name>{label}</Name>
            </dt>
            <dd className="figures">{value}</dd>
          </div>
        ))}
      </dl>
      <Payment call={call} />
    </Panel>
  );
}

/** What an investor has to pay, with the payment details. */
export function CallsToPay({ own: { calls, callsTotal }, today }: { own: Own; today: string }) {
  if (!calls || calls.length === 0) return null;
  const showsInvestor = new Set(calls.map(({ investor }) => investor)).size > 1;
  return (
    <Section
      title="Due"
      note={
        calls.length < callsTotal
          ? `the first ${calls.length} of ${formatCount(callsTotal, 'payment')}`
          : formatCount(callsTotal, 'payment')
      }
      more={<MoreLink to={paths.capitalCalls()}>All calls</MoreLink>}
    >
      {calls.map((call) => (
        <CallCard key={call.id} call={call} today={today} showsInvestor={showsInvestor} />
      ))}
    </Section>
  );
}

const KINDS = {
  call: 'Capital call notice',
  distribution: 'Distribution notice',
  statement: 'Account statement',
  report: 'Fund report',
} as const;

function Documents({ found: { documents, total, unread } }: { found: NonNullable<Own['documents']> }) {
  return (
    <TableSection
      title="Documents"
      note={unread > 0 ? `${unread} unread` : 'all read'}
      more={total > 0 ? <MoreLink to={paths.documents()}>All {formatCount(total, 'document')}</MoreLink> : null}
      narrow="list"
      caption="Your documents"
      rows={documents}
      rowKey={({ fileId }) => fileId}
      empty={<EmptyState title="No documents yet">Notices, statements and reports are listed here.</EmptyState>}
      columns={[
        {
          head: 'Document',
          cell: ({ fileId, kind, number, cutOffDate, readAt }) => (
            <Link
              to={paths.document(fileId)}
              className={classNames('tap-text hover:text-accent hover:underline', readAt === null && 'font-[600]')}
            >
              {KINDS[kind]} {number ?? formatCalendarDate(cutOffDate)}
            </Link>
          ),
        },
        { head: 'Fund', cell: ({ party }) => (party === null ? <Unknown /> : <Name>{party}</Name>) },
        { head: 'Published', date: ({ publishedAt }) => publishedAt },
        { head: 'Read', cell: ({ readAt }) => <OwnRead at={readAt} /> },
      ]}
    />
  );
}

function Statements({ statements: { rows, total } }: { statements: NonNullable<Own['statements']> }) {
  return (
    <TableSection
      title="Capital account statements"
      note={rows.length < total ? `the latest ${rows.length} of ${total}` : 'latest first'}
      narrow="list"
      caption="Your capital account statements"
      rows={rows}
      empty={<EmptyState title="No statements yet">Statements are listed here once they are published.</EmptyState>}
      columns={[
        { head: 'Fund', cell: ({ fund }) => (fund === null ? <Unknown /> : <Name>{fund}</Name>) },
        { head: 'As of', date: ({ cutOffDate }) => cutOffDate },
        {
          head: 'Closing NAV',
          numeric: true,
          cell: ({ closing, currency }) =>
            closing === null ? (
              <Unknown reason="See the uploaded statement" />
            ) : (
              <Money value={{ sum: closing, currency }} withCurrency zero="figure" />
            ),
        },
        {
          head: <span className="sr-only">Download</span>,
          control: true,
          cell: ({ fileId, fund, cutOffDate }) =>
            fileId === null ? (
              <Unknown reason="The file is being created" />
            ) : (
              <DownloadLink id={fileId} name={`the statement of ${fund ?? 'the fund'} of ${cutOffDate}`} />
            ),
        },
      ]}
    />
  );
}

function Announcements({ found: { rows, total } }: { found: NonNullable<Own['announcements']> }) {
  if (total === 0) return null;
  return (
    <PanelSection
      title="Announcements"
      more={<MoreLink to={paths.announcements()}>{total > rows.length ? `All ${total}` : 'All'}</MoreLink>}
    >
      <ul className="divide-y divide-line">
        {rows.map(({ id, title, lead, publishedAt, isRead }) => (
          <li key={id} className="flex items-start gap-2.5 px-3.5 py-2.5 text-sm">
            <i
              aria-hidden="true"
              className={classNames('mt-1.5 size-1.5 flex-none rounded-full', !isRead && 'bg-accent')}
            />
            <div className="min-w-0 flex-1">
              <Link
                to={paths.announcement(id)}
                prefetch="none"
                className={classNames('tap-text hover:text-accent hover:underline', !isRead && 'font-[600]')}
              >
                {isRead ? null : <span className="sr-only">Unread: </span>}
                <Name length={80}>{title}</Name>
              </Link>
              <p className="mt-0.5 line-clamp-2 text-xs text-ink-2">{lead}</p>
            </div>
            <span className="flex-none text-xs text-ink-3">
              <DateText value={publishedAt} />
            </span>
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}

/** What an investor was paid, its documents and its statements. */
export function OwnCapital({ own: { distributions, statements, documents, announcements } }: { own: Own }) {
  return (
    <>
      <Columns split="wide">
        {documents ? <Documents found={documents} /> : null}
        <div>
          {statements ? <Statements statements={statements} /> : null}
          {announcements ? <Announcements found={announcements} /> : null}
        </div>
      </Columns>
      {distributions ? (
        <Section title="Latest distributions" more={<MoreLink to={paths.distributions()}>All distributions</MoreLink>}>
          <OwnDocuments
            rows={distributions.rows}
            total={distributions.rows.length}
            noun="distributions"
            amount="Paid to you"
          />
        </Section>
      ) : null}
    </>
  );
}
