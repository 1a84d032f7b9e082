import type { Delivery } from '@tapeline/db/operations/capital/deliveries.ts';
import type { Told, WhoIsTold } from '@tapeline/db/operations/capital/tell-investors.ts';
import type { MailKind } from '@tapeline/domain/mail/mail.ts';
import { Unknown } from '../../components/figures/figures.tsx';
import { formatCount, formatInstant } from '../../components/figures/format.ts';
import { ActionForm } from '../../components/forms/screen-form.tsx';
import { Chip, type Tone } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { InvestorName } from './shares.tsx';

const BY: Readonly<Record<Told['by'], string>> = {
  user: 'User',
  invited: 'Invited user',
  contact: 'Contact, by email only',
};

const MOST_SHOWN = 200;

function Person({ name, email }: { name: string | null; email: string | null }) {
  if (name === null) return <Unknown reason="You may not read who this is" />;
  return (
    <span className="whitespace-normal">
      {name} <span className="text-xs text-ink-3">{email}</span>
    </span>
  );
}

/** Who is told when documents are published: a review before it is done. */
export function WhoIsToldSection({ who }: { who: WhoIsTold }) {
  const people = who.investors.flatMap(({ told }) => told).length;
  const rows = who.isPast
    ? []
    : who.investors.flatMap(
        ({ documentId, investor, told }): { key: string; investor: string | null; one: Told | null }[] =>
          told.length === 0
            ? [{ key: `${documentId} ${investor}`, investor, one: null }]
            : told.map((one, place) => ({ key: `${documentId} ${investor} ${place}`, investor, one })),
      );
  return (
    <Section
      title="Who is told"
      note={who.isPast ? 'nobody: it is past' : `${formatCount(people, 'email')}, once the notices are made`}
    >
      <Panel>
        <DataTable
          narrow="list"
          caption="Who is told"
          rows={rows.slice(0, MOST_SHOWN)}
          rowKey={({ key }) => key}
          empty={
            <EmptyState title="Nobody is told">
              It is past, so that no email is sent. You can send it from its page once it is issued.
            </EmptyState>
          }
          columns={[
            {
              key: 'investor',
              head: 'Investor',
              cell: ({ investor }) => <InvestorName investor={investor} isFund={false} />,
            },
            {
              key: 'person',
              head: 'Who',
              cell: ({ one }) => (one ? <Person {...one} /> : <Chip tone="warning">Nobody</Chip>),
            },
            { key: 'by', head: 'As', quiet: true, cell: ({ one }) => (one ? BY[one.by] : '') },
          ]}
        />
        {rows.length > MOST_SHOWN ? (
          <p className="border-t border-line px-3.5 py-2 text-xs text-ink-3">
            and {formatCount(rows.length - MOST_SHOWN, 'more row')}
          </p>
        ) : null}
      </Panel>
    </Section>
  );
}

const ABOUT: Partial<Readonly<Record<MailKind, string>>> = {
  callIssued: 'Issued',
  distributionIssued: 'Issued',
  callDue: 'Due soon',
  noticeWithdrawn: 'Withdrawn',
};

const RESULTS: Readonly<Record<Delivery['status'], { label: string; tone: Tone }>> = {
  Queued: { label: 'Waiting', tone: 'accent' },
  Sent: { label: 'Sent', tone: 'good' },
  Failed: { label: 'Not delivered', tone: 'danger' },
  Skipped: { label: 'Not sent', tone: 'neutral' },
};

/** A delivery with the investor whom it is for. */
export type ShownDelivery = Delivery & { readonly investor: string | null };

/** The emails about a call or distribution, each with its time and result. */
export function Deliveries({ rows, mayTellRest }: { rows: readonly ShownDelivery[]; mayTellRest: boolean }) {
  const failed = rows.filter(({ status }) => status === 'Failed').length;
  return (
    <Section
      title="Emails"
      note={failed > 0 ? `${formatCount(failed, 'email')} not delivered` : 'the latest first, times in UTC'}
      more={
        mayTellRest ? (
          <ActionForm intent="tellRest" tone="plain">
            Tell who was not told yet
          </ActionForm>
        ) : null
      }
    >
      <Panel>
        <DataTable
          narrow="list"
          caption="Emails"
          rows={rows}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title="Nobody was told">
              No user or contact of the investors could be told. Invite a user, or add a contact with an email to the
              investor’s entity, and then tell who was not told yet.
            </EmptyState>
          }
          columns={[
            { key: 'investor', head: 'Investor', cell: (row) => <InvestorName {...row} isFund={false} /> },
            { key: 'person', head: 'To', cell: (row) => <Person {...row} /> },
            { key: 'by', head: 'As', quiet: true, cell: ({ by }) => (by === 'contact' ? 'Contact' : 'User') },
            { key: 'about', head: 'About', cell: ({ kind }) => ABOUT[kind] ?? kind },
            {
              key: 'result',
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
            {
              key: 'time',
              head: 'Time (UTC)',
              quiet: true,
              cell: ({ sentAt, queuedAt }) => formatInstant(sentAt ?? queuedAt),
            },
            {
              key: 'again',
              head: <span className="sr-only">Send again</span>,
              control: true,
              cell: (row) =>
                row.status === 'Queued' || row.kind === 'noticeWithdrawn' || !mayTellRest ? null : (
                  <ActionForm intent="sendAgain" values={{ id: row.id }} tone="quiet">
                    Send again<span className="sr-only"> to {row.name ?? 'this person'}</span>
                  </ActionForm>
                ),
            },
          ]}
        />
      </Panel>
    </Section>
  );
}
