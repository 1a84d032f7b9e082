import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { getAmendment, removeAmendment } from '@tapeline/db/operations/amendments/amendments.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { documentHistory } from '../../../commands/history.server.ts';
import { DateText } from '../../../components/figures/figures.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { HistorySection } from '../../../components/history/action-list.tsx';
import { ConfirmedAction } from '../../../components/overlays/confirmed-action.tsx';
import { Chip } from '../../../components/page/chip.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Columns, Facts, PanelSection } from '../../../components/page/section.tsx';
import { act, confirmedIntent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { AmendmentChanges } from './amendment-effect.tsx';

export const handle = named<typeof loader>(({ title, transactionId, transactionTitle, noteId }) => [
  [transactionTitle, paths.transaction(transactionId, { note: noteId, view: 'terms' })],
  title,
]);

export const loader = readScreen('transactions/read', ({ db, params, url, actor }) =>
  db(async (session) => {
    const amendment = await getAmendment(session, params.id ?? '');
    return {
      ...pick(amendment, 'id', 'title', 'effectiveDate', 'changes', 'transactionId', 'transactionTitle', 'noteId'),
      ...pick(amendment, 'noteTitle', 'companyName', 'usedBy'),
      isInForce: amendment.replaced != null,
      file: amendment.fileId ?? null,
      remark: amendment.remark ?? null,
      enteredAt: amendment.metadata.iat,
      mayRemove:
        can(actor, 'transactions/write') &&
        actor.type !== 'company' &&
        amendment.usedBy === null &&
        (await getTransaction(session, amendment.transactionId)).status !== 'Closed',
      history: await documentHistory(session, [{ resource: 'amendments', ids: [amendment.id] }], url.searchParams),
    };
  }),
);

export const action = act({
  remove: confirmedIntent({
    permission: 'transactions/write',
    schema: z.object({}),
    asks: 'remove',
    async run(_, { db, params: { id = '' } }) {
      const { transactionId, noteId } = await db(async (session) => {
        const amendment = await getAmendment(session, id);
        await removeAmendment(session, id);
        return amendment;
      });
      return redirect(paths.transaction(transactionId, { note: noteId, view: 'terms' }));
    },
  }),
});

export default function AmendmentScreen() {
  const page = useLoaderData<typeof loader>();
  const { title, effectiveDate, transactionTitle, noteTitle, usedBy } = page;
  return (
    <>
      <PageHeader
        title={title}
        chip={page.isInForce ? <Chip tone="good">In force</Chip> : <Chip>Agreed</Chip>}
        facts={[
          `${transactionTitle}, ${noteTitle}`,
          <>
            from <DateText value={effectiveDate} />
          </>,
        ]}
        actions={
          <LinkButton
            to={paths.transaction(page.transactionId, { note: page.noteId, view: 'terms', day: effectiveDate })}
          >
            Show the terms
          </LinkButton>
        }
      />
      <AmendmentChanges changes={page.changes} />
      <Columns>
        <PanelSection title="Amendment" padded>
          <Facts
            items={[
              { label: 'Borrower', value: page.companyName },
              { label: 'Effective date', value: <DateText value={effectiveDate} /> },
              { label: 'Entered', value: <DateText value={page.enteredAt} /> },
              {
                label: 'Agreement',
                value: page.file ? (
                  <a href={paths.download(page.file)} className="tap-text text-accent underline">
                    Download
                  </a>
                ) : (
                  'None'
                ),
              },
              ...(page.remark ? [{ label: 'Remark', value: page.remark }] : []),
              ...(usedBy === null
                ? []
                : [{ label: 'Invoices', value: `Invoice ${usedBy} was calculated with it, so it stays` }]),
            ]}
          />
        </PanelSection>
        {page.mayRemove ? (
          <PanelSection title="Remove" note="until an invoice was calculated with it" padded>
            <ConfirmedAction
              asks="remove"
              intent="remove"
              label="Remove amendment"
              title={`Remove ${title}?`}
              consequence={`The terms before it apply again from ${formatCalendarDate(effectiveDate)} on. The history keeps it.`}
              confirm="Remove amendment"
              tone="danger"
            />
          </PanelSection>
        ) : null}
      </Columns>
      {page.history ? <HistorySection history={page.history} all={{ resource: 'amendments', id: page.id }} /> : null}
    </>
  );
}
