import type { Told, WhoIsTold } from '@tapeline/db/operations/capital/tell-investors.ts';
import type { Delivery, Deliveries as Listed } from '@tapeline/db/operations/outbox/deliveries.ts';
import { SENT_REMINDER_LABELS } from '@tapeline/domain/cash/reminders.ts';
import { firstFew } from '@tapeline/domain/errors/first-few.ts';
import type { MailKind } from '@tapeline/domain/mail/mail.ts';
import { ChevronRight } from 'lucide-react';
import { Unknown } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure, formatInstant } from '../../components/figures/format.ts';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { ConfirmedAction } from '../../components/overlays/confirmed-action.tsx';
import { Chip, type Tone } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PanelSection } from '../../components/page/section.tsx';
import { DataTable, TableSection } from '../../components/tables/data-table.tsx';
import { InvestorName } from './shares.tsx';

export const TOLD_BY: Readonly<Record<Told['by'], string>> = {
  user: 'User',
  invited: 'Invited user',
  contact: 'Contact, by email only',
};

const MAX_SHOWN = 200;
/** People that one line names. */
const NAMED = 2;

function Person({ name, email }: { name: string | null; email: string | null }) {
  if (name === null) return <Unknown reason="You may not read who this is" />;
  return (
    <span className="whitespace-normal">
      {name} <span className="text-xs text-ink-3">{email}</span>
    </span>
  );
}

/**
 * Who is told when documents are published or withdrawn: a review before it is done.
 * @param people how many they are, if not all of them are listed
 * @param when when the emails are sent
 * @param head what the people belong to
 * @param isFolded whether the list opens when a person asks for it, because another table says whom each investor's is
 */
export function WhoIsToldSection({
  who,
  people = who.investors.flatMap(({ told }) => told).length,
  when = 'once the notices are made',
  head = 'Investor',
  isFolded = false,
}: {
  who: WhoIsTold;
  people?: number;
  when?: string;
  head?: string;
  isFolded?: boolean;
}) {
  const rows = who.isPast
    ? []
    : who.investors.flatMap(
        ({ documentId, investor, told }): { key: string; investor: string | null; one: Told | null }[] =>
          told.length === 0
            ? [{ key: `${documentId} ${investor}`, investor, one: null }]
            : told.map((one, index) => ({ key: `${documentId} ${investor} ${index}`, investor, one })),
      );
  const hidden = Math.max(rows.length, people) - Math.min(rows.length, MAX_SHOWN);
  const list = (
    <>
      <DataTable
        caption="Who is told"
        narrow="list"
        rows={rows.slice(0, MAX_SHOWN)}
        rowKey={({ key }) => key}
        empty={
          <EmptyState title="No one is notified">
            {who.isPast
              ? 'Its date has passed, so no email is sent. You can send it from its page once it is issued.'
              : 'There is no user or contact who is to know.'}
          </EmptyState>
        }
        columns={[
          { head, cell: ({ investor }) => <InvestorName investor={investor} isFund={false} /> },
          { head: 'Who', cell: ({ one }) => (one ? <Person {...one} /> : <Chip tone="warning">Nobody</Chip>) },
          { head: 'As', quiet: true, cell: ({ one }) => (one ? TOLD_BY[one.by] : '') },
        ]}
      />
      {hidden > 0 ? (
        <p className="border-t border-line px-3.5 py-2 text-xs text-ink-3">and {formatCount(hidden, 'more row')}</p>
      ) : null}
    </>
  );
  return (
    <PanelSection
      title="Who is told"
      note={
        who.isPast
          ? 'no one: its date has passed'
          : people === 0
            ? 'nobody'
            : `${formatCount(people, 'person', 'people')}, ${when}`
      }
    >
      {isFolded && rows.length > 0 ? (
        <details className="group">
          <summary className="flex min-h-10 cursor-pointer list-none items-center gap-1.5 px-3.5 text-sm text-ink-2 [&::-webkit-details-marker]:hidden">
            <ChevronRight
              aria-hidden="true"
              size={14}
              strokeWidth={1.75}
              className="flex-none text-ink-3 transition-transform duration-100 group-open:rotate-90"
            />
            Names and emails
          </summary>
          {list}
        </details>
      ) : (
        list
      )}
    </PanelSection>
  );
}

const ABOUT: Partial<Readonly<Record<MailKind, string>>> = {
  callIssued: 'Issued',
  distributionIssued: 'Issued',
  statementPublished: 'Published',
  reportPublished: 'Published',
  announcement: 'Published',
  noticeWithdrawn: 'Withdrawn',
  drawWaits: 'Waits',
  drawReminder: 'Reminder',
  drawApproved: 'Approved',
  drawRejected: 'Rejected',
  correctionProposed: 'Proposed',
  correctionDecided: 'Decision',
};

const RESULTS: Readonly<Record<Delivery['status'], { label: string; tone: Tone }>> = {
  Queued: { label: 'Waiting', tone: 'accent' },
  Held: { label: 'Held after a restore', tone: 'warning' },
  Sent: { label: 'Sent', tone: 'good' },
  Failed: { label: 'Not delivered', tone: 'danger' },
  Skipped: { label: 'Not sent', tone: 'neutral' },
};

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Who is told of a withdrawal, in one or two sentences. @param told how many were told by email before */
export const withdrawalText = (told: number): string =>
  told === 0
    ? 'No email about it was sent, so none is sent about the withdrawal.'
    : `It was told to ${told === 1 ? 'one person' : `${told} people`}, listed below under Emails. They are told that it is withdrawn, and its page says so.`;

/**
 * The emails about a document, each with its time and result.
 * @param maySendAgain whether an email can be sent again
 * @param mayTellRest whether people who were added since can be told
 * @param head what the people belong to
 * @param nobody what to do if nobody was told
 * @param isFolded whether one line says who was told, and opens to the list. It is open if an email was not delivered
 */
export function Deliveries({
  deliveries: { rows, total, failed },
  maySendAgain,
  isFolded = false,
  mayTellRest = false,
  head = 'Investor',
  title = 'Emails',
  nobody = 'No user or contact of the investors could be told. Invite a user, or add a contact with an email to the investor’s entity, and then tell who was not told yet.',
}: {
  deliveries: Listed;
  maySendAgain: boolean;
  isFolded?: boolean;
  mayTellRest?: boolean;
  head?: string;
  title?: string;
  nobody?: string;
}) {
  const names = [...new Set(rows.flatMap(({ name }) => name ?? []))];
  const table = (
    <TableSection
      title={title}
      note={
        failed > 0
          ? `${formatFigure(failed)} of ${formatCount(total, 'email')} not delivered`
          : `${formatCount(total, 'email')}, times in UTC`
      }
      more={
        mayTellRest ? (
          <ConfirmedAction
            asks="tellRest"
            intent="tellRest"
            label="Tell who was not told yet"
            title="Email everyone who was not told yet?"
            consequence="Users and contacts of the investors who got no email about this get one now."
            confirm="Send the emails"
            tone="primary"
          />
        ) : null
      }
      narrow="list"
      rows={rows}
      empty={<EmptyState title="No one was notified by email">{nobody}</EmptyState>}
      columns={[
        { head, cell: ({ party }) => <InvestorName investor={party} isFund={false} /> },
        { head: 'To', cell: (row) => <Person {...row} /> },
        { head: 'As', quiet: true, cell: ({ by }) => (by === 'contact' ? 'Contact' : 'User') },
        {
          head: 'About',
          cell: ({ kind, reminder }) =>
            reminder ? `Reminder: ${lowered(SENT_REMINDER_LABELS[reminder])}` : (ABOUT[kind] ?? kind),
        },
        {
          head: 'Result',
          cell: ({ status, problem, attempts }) => (
            <span className="flex flex-wrap items-center gap-1.5 whitespace-normal">
              <Chip tone={RESULTS[status].tone}>{RESULTS[status].label}</Chip>
              {problem && status !== 'Sent' ? (
                <span className="text-xs text-ink-2">
                  {status === 'Queued' ? `${formatCount(attempts, 'attempt')}: ` : ''}
                  {problem}
                </span>
              ) : null}
            </span>
          ),
        },
        { head: 'Time (UTC)', quiet: true, cell: ({ sentAt, queuedAt }) => formatInstant(sentAt ?? queuedAt) },
        {
          head: <span className="sr-only">Send again</span>,
          control: true,
          cell: (row) =>
            row.status === 'Queued' || row.kind === 'noticeWithdrawn' || !maySendAgain ? null : (
              <ActionForm intent="sendAgain" values={{ id: row.id }} tone="quiet">
                Send again<span className="sr-only"> to {row.name ?? 'this person'}</span>
              </ActionForm>
            ),
        },
      ]}
      below={
        total > rows.length ? (
          <p className="border-t border-line px-3.5 py-2 text-xs text-ink-3">
            and {formatCount(total - rows.length, 'more email')}, earlier than these
          </p>
        ) : null
      }
    />
  );
  if (!isFolded || names.length === 0) return table;
  return (
    <details open={failed > 0} className="group">
      <summary className="mb-[26px] flex cursor-pointer list-none items-center gap-1.5 text-sm text-ink-2 max-sm:min-h-10 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          size={14}
          strokeWidth={1.75}
          className="flex-none text-ink-3 transition-transform duration-100 group-open:rotate-90"
        />
        <span className="min-w-0">
          Told by email: {firstFew(names, { most: NAMED })}
          {failed > 0 ? `, ${formatFigure(failed)} not delivered` : ''}
        </span>
      </summary>
      {table}
    </details>
  );
}
