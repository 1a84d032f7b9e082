import { Link, useActionData, useLoaderData, useOutletContext } from '@remix-run/react';
import { ITEM_STATE_LABELS } from '@tapeline/domain/deliverables/deliverable-labels.ts';
import { ChevronDown, ChevronUp, type LucideIcon, X } from 'lucide-react';
import { DateText } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { ActionProblems } from '../../../../components/forms/action-problems.tsx';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { HistoryPanel } from '../../../../components/history/action-list.tsx';
import { ConfirmedAction } from '../../../../components/overlays/confirmed-action.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { Facts, Section } from '../../../../components/page/section.tsx';
import { DataTable } from '../../../../components/tables/data-table.tsx';
import { type ActionAnswer, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { ItemStateText } from '../item-state.tsx';
import { changeDeliverable, type DeliverablePage, readDeliverable } from './deliverable-page.server.ts';

const titleOf = ({ title, company }: Pick<DeliverablePage, 'title' | 'company'>): string => `${title}, ${company}`;

export const handle = {
  title: titleOf,
  crumbs: (deliverable: DeliverablePage) => [{ label: titleOf(deliverable) }],
};

export const loader = readScreen('transactions/read', readDeliverable);

export const action = changeDeliverable;

interface Listed {
  readonly keys: readonly string[];
  readonly search: Record<string, string | null>;
}

const STEP = 'inline-grid size-8 place-items-center rounded-md text-ink-2 hover:bg-hover max-sm:size-10';

const Step = ({ to, label, icon: Icon }: { to: string | null; label: string; icon: LucideIcon }) =>
  to === null ? null : (
    <Link to={to} aria-label={label} preventScrollReset className={STEP}>
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} />
    </Link>
  );

/** The position of the item in the list, with links to the previous and the next one. */
function Place({ itemKey, listed: { keys, search } }: { itemKey: string | null; listed: Listed }) {
  const at = itemKey === null ? -1 : keys.indexOf(itemKey);
  const to = (index: number) => {
    const [id, period] = (at < 0 ? undefined : keys[index])?.split('/') ?? [];
    return id && period ? paths.deliverable(id, { ...search, period }) : null;
  };
  return (
    <span className="ml-auto flex items-center gap-0.5 text-xs text-ink-2">
      {at < 0 ? null : (
        <span className="mr-1.5">
          {at + 1} of {keys.length}
        </span>
      )}
      <Step to={to(at - 1)} label="Previous item" icon={ChevronUp} />
      <Step to={to(at + 1)} label="Next item" icon={ChevronDown} />
      <Step to={paths.deliverables(search)} label="Back to the list" icon={X} />
    </span>
  );
}

/** What can be done with the item of the period. */
function ItemActions({ deliverable }: { deliverable: DeliverablePage }) {
  const { id, item, may, companyId } = deliverable;
  if (!item) return null;
  const to = (step: Parameters<typeof paths.deliverableStep>[1]) =>
    paths.deliverableStep(id, step, { period: item.periodEnd });
  const buttons = [
    may.send ? (
      <LinkButton key="send" to={to('send')} tone={may.change ? 'plain' : 'primary'}>
        Send file
      </LinkButton>
    ) : null,
    may.upload ? (
      <LinkButton key="upload" to={paths.newTape({ company: companyId })} tone={may.change ? 'plain' : 'primary'}>
        Upload tape
      </LinkButton>
    ) : null,
    may.accept ? (
      <ActionForm key="accept" intent="accept" values={{ period: item.periodEnd }} tone="primary">
        Accept
      </ActionForm>
    ) : null,
    may.return ? (
      <LinkButton key="return" to={to('return')}>
        Return
      </LinkButton>
    ) : null,
    may.remind ? (
      <LinkButton key="remind" to={to('remind')}>
        Remind
      </LinkButton>
    ) : null,
    may.waive ? (
      <LinkButton key="waive" to={to('waive')}>
        Waive
      </LinkButton>
    ) : null,
    may.withdraw ? (
      <LinkButton key="withdraw" to={to('withdraw')}>
        Withdraw waiver
      </LinkButton>
    ) : null,
  ].filter(Boolean);
  return buttons.length > 0 ? <div className="mb-5 flex flex-wrap gap-2">{buttons}</div> : null;
}

function Sent({ sent }: { sent: DeliverablePage['sent'] }) {
  if (sent.length === 0) return null;
  return (
    <Section title="What was sent and decided">
      <ul className="text-sm">
        {sent.map((one) => (
          <li key={one.id} className="border-b border-line py-2 first:pt-0 last:border-b-0 last:pb-0">
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <b className="font-[550]">{one.label}</b>
              <span className="text-xs text-ink-2">
                <DateText value={one.decidedAt?.slice(0, 10) ?? one.receivedOn} />
                {one.decidedBy ? `, ${one.decidedBy}` : one.receivedBy ? `, ${one.receivedBy}` : ''}
              </span>
            </p>
            {one.reason ? <p className="break-words">{one.reason}</p> : null}
            {one.fileId ? (
              <p className="text-ink-2">
                <a href={paths.download(one.fileId)} className="tap-text break-all text-accent underline">
                  {one.fileName ?? 'Download'}
                </a>
                {one.decidedBy && one.receivedBy ? (
                  <span className="text-xs">
                    {' '}
                    sent <DateText value={one.receivedOn} /> by {one.receivedBy}
                  </span>
                ) : null}
              </p>
            ) : null}
            {one.remark ? <p className="text-xs break-words text-ink-2">{one.remark}</p> : null}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Terms({ deliverable }: { deliverable: DeliverablePage }) {
  const { terms, calendar, clause, description, sender, reviewer, reminders, may } = deliverable;
  return (
    <Section title={clause ? `Agreement, clause ${clause}` : 'What is owed'}>
      {description ? (
        <p className="mb-2 border-l-2 border-line-strong pl-3 text-sm break-words whitespace-pre-line text-ink-2">
          {description}
        </p>
      ) : null}
      <Facts
        items={[
          { label: 'Due', value: terms },
          ...(calendar ? [{ label: 'Business days', value: calendar }] : []),
          { label: 'Sent by', value: sender },
          { label: 'Reviewed by', value: reviewer },
          ...(may.change
            ? [
                {
                  label: 'Reminders',
                  value: reminders === 0 ? 'Off' : `${formatCount(reminders, 'reminder')} for each period`,
                },
              ]
            : []),
        ]}
      />
    </Section>
  );
}

function Items({ deliverable, listed }: { deliverable: DeliverablePage; listed: Listed }) {
  if (deliverable.items.length < 2) return null;
  return (
    <Section title="Periods">
      <div className="overflow-hidden rounded-lg border border-line">
        <DataTable
          caption="Periods, the latest first"
          narrow="cards"
          rows={deliverable.items}
          rowKey={({ key }) => key}
          rowTo={({ id, periodEnd }) => paths.deliverable(id, { ...listed.search, period: periodEnd })}
          isShown={({ key }) => key === deliverable.item?.key}
          columns={[
            { head: 'Period', card: 'name', oneLine: true, cell: ({ period }) => period },
            { head: 'Due', card: 'date', date: ({ dueDate }) => dueDate },
            { head: 'State', card: 'state', cell: (item) => <ItemStateText item={{ ...item, stateNote: null }} /> },
          ]}
        />
      </div>
    </Section>
  );
}

function Actions({ deliverable }: { deliverable: DeliverablePage }) {
  const { id, may, title, version, isActive } = deliverable;
  if (!may.change) return null;
  return (
    <div className="mb-5 flex flex-wrap gap-2 border-t border-line pt-4">
      <LinkButton to={paths.editDeliverable(id)}>Edit</LinkButton>
      {isActive ? (
        <ConfirmedAction
          asks="end"
          intent="end"
          values={{ version: String(version) }}
          label="End"
          title={`End ${title}?`}
          consequence="Nothing more is owed, and no reminders are sent. What was sent stays."
          confirm="End deliverable"
        />
      ) : (
        <ConfirmedAction
          asks="reopen"
          intent="reopen"
          values={{ version: String(version) }}
          label="Begin again"
          title={`Begin ${title} again?`}
          consequence="Periods for which nothing was sent are owed again, and the borrower is reminded of them."
          confirm="Begin again"
          tone="primary"
        />
      )}
      <ConfirmedAction
        asks="remove"
        intent="remove"
        label="Remove"
        title={`Remove ${title}?`}
        consequence="The deliverable and what was sent for it are removed. End it instead to keep its files."
        confirm="Remove deliverable"
      />
    </div>
  );
}

/** A deliverable with the item of one period, beside the list; instead of the list on a narrow screen. */
export default function DeliverablePanel() {
  const deliverable = useLoaderData<typeof loader>();
  const answer = useActionData<ActionAnswer>();
  const listed = useOutletContext<Listed>();
  const { title, company, note, kind, item, isActive, transactionId, companyId, history } = deliverable;
  const name = titleOf({ title, company });
  return (
    <section aria-label="Deliverable" className="min-w-0 rounded-lg border border-line bg-paper px-5 py-4">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        {item ? (
          <Chip dot tone={item.tone}>
            {ITEM_STATE_LABELS[item.state]}
          </Chip>
        ) : null}
        <Chip>{kind}</Chip>
        {isActive ? null : <Chip>Ended</Chip>}
        <Place itemKey={item?.key ?? null} listed={listed} />
      </div>
      <h1 className="text-lg leading-6 font-[620] break-words min-[1400px]:hidden">{name}</h1>
      <h2 className="text-lg leading-6 font-[620] break-words max-[1399px]:hidden">{name}</h2>
      <p className="mb-4 text-sm text-ink-2">
        {item ? (
          <>
            {item.period} · due <DateText value={item.dueDate} />
            {item.stateNote ? ` · ${item.stateNote}` : ''}
          </>
        ) : (
          'No period yet'
        )}
        {' · '}
        <Link
          to={transactionId ? paths.transaction(transactionId) : paths.company(companyId)}
          className="tap-text text-accent underline"
        >
          {note ?? 'Borrower'}
        </Link>
        {item?.sourceTo ? (
          <>
            {' · '}
            <Link to={item.sourceTo} className="tap-text text-accent underline">
              {item.sourceLabel}
            </Link>
          </>
        ) : null}
      </p>
      <ActionProblems answer={answer} />
      <ItemActions deliverable={deliverable} />
      <Sent sent={deliverable.sent} />
      <Terms deliverable={deliverable} />
      <Items deliverable={deliverable} listed={listed} />
      <Actions deliverable={deliverable} />
      {history ? (
        <details>
          <summary className="cursor-pointer text-sm text-ink-2 max-sm:min-h-10">History</summary>
          <HistoryPanel history={history} />
        </details>
      ) : null}
    </section>
  );
}
