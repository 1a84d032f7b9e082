import { redirect } from '@remix-run/node';
import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { noteStanding } from '@tapeline/db/operations/interest/note-standing.ts';
import { repayableNotes } from '@tapeline/db/operations/repayments/note-choices.ts';
import { createRepayment } from '@tapeline/db/operations/repayments/repayments.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { flagsAt, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { commitmentsInForce } from '@tapeline/domain/facilities/in-force.ts';
import { unknownText } from '@tapeline/domain/invoices/lines.ts';
import { REPAYMENT_KIND_LABELS } from '@tapeline/domain/repayments/kinds.ts';
import { repaymentCreateSchema } from '@tapeline/domain/repayments/repayment.schema.ts';
import { DateText, Name } from '../../../components/figures/figures.tsx';
import { formatRate, writtenAmount } from '../../../components/figures/format.ts';
import { interestText } from '../../../components/figures/interest-terms.ts';
import { Button } from '../../../components/forms/button.tsx';
import { ChoiceSearch, countsOf } from '../../../components/forms/choice-search.tsx';
import { Fields } from '../../../components/forms/described-fields.tsx';
import { inputClass, Select } from '../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Columns, Panel, PanelSection } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { documentOfForm } from '../../../http/form-document.ts';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { partsOf, repaymentFormDescription, repaymentFormSchema } from './repayment-form.ts';

export const handle = named('Record a repayment');

const NOUN = ['note', 'notes'] as const;

export const loader = readScreen('repayments/write', ({ db, url, actor }) => {
  if (actor.type === 'company') throw new Refusal('forbidden', 'The lender records repayments');
  return db(async (session) => {
    const today = todayOf(session);
    const asked = url.searchParams.get('date') ?? '';
    const date = isCalendarDate(asked) ? asked : today;
    const picker = await repayableNotes(session, {
      search: url.searchParams.get('find'),
      chosen: url.searchParams.get('note'),
    });
    const chosen = picker.choices.find(({ id }) => id === url.searchParams.get('note'));
    const base = { today, date, choices: picker.choices, counts: countsOf(picker), note: null };
    if (!chosen) return base;
    const { managerId, ...transaction } = await getTransaction(session, chosen.transactionId);
    const note = transaction.notes.find(({ id }) => id === chosen.id);
    if (!note) return base;
    const standing = await noteStanding(session, { managerId, note, asOf: date });
    const main = commitmentsInForce(note)?.currency;
    const currencies = [
      ...new Set([...(main ? [main] : []), ...(standing.position.balance ?? []).map(({ currency }) => currency)]),
    ];
    return {
      ...base,
      note: {
        id: chosen.id,
        transactionId: transaction.id,
        transactionTitle: transaction.title,
        noteTitle: note.title,
        terms: standing.terms && interestText(standing.terms, standing.names),
        rows: currencies.map((currency) => {
          const interest = standing.interest?.find((one) => one.currency === currency);
          return {
            currency,
            balance: standing.position.balance?.find((one) => one.currency === currency)?.sum ?? null,
            repayable: standing.repayable.find((one) => one.currency === currency)?.sum ?? '0',
            prepayment: (standing.prepayment.find((one) => one.currency === currency)?.lines ?? []).map(
              ({ title, amount, pieces, unknown }) => ({
                title,
                amount,
                rate: pieces[0]?.rate ?? null,
                unknown: unknown && unknownText(unknown),
              }),
            ),
            unpaid: interest ? interest.unpaid : null,
            unknown: interest?.missingFrom
              ? `No fixing on or before ${interest.missingFrom}`
              : standing.terms
                ? 'Nothing is drawn in this currency'
                : 'The terms have no interest',
          };
        }),
      },
    };
  });
});

export const action = act({
  record: intent({
    permission: 'repayments/write',
    schema: repaymentFormSchema,
    async run(form, { db }) {
      const parts = partsOf(form);
      const { transaction, noteTitle, cutOffDate, scheduled } = form;
      // An error of a part is shown at the field that the part comes from.
      const fieldOf = (path: readonly PropertyKey[]): string =>
        path[0] === 'repayments' ? (parts[Number(path[1])]?.field ?? 'amounts[0].principal') : String(path[0]);
      const body = documentOfForm(
        repaymentCreateSchema,
        {
          transaction,
          noteTitle,
          cutOffDate,
          scheduled,
          repayments: parts.map(({ kind, amount }) => ({ kind, amount })),
        },
        fieldOf,
      );
      const created = db((session) => createRepayment(session, body));
      const { id } = await flagsAt(created, (path) => fieldOf(path.split('.')));
      return redirect(paths.repayment(id));
    },
  }),
});

type Page = ReturnType<typeof useLoaderData<typeof loader>>;
type ChosenNote = NonNullable<Page['note']>;

function ChooseNote({ page }: { page: Page }) {
  const { choices, counts, date, today, note } = page;
  return (
    <>
      <ChoiceSearch id="note-search" name="find" noun={NOUN} counts={counts} />
      <Form
        method="get"
        preventScrollReset
        className="mb-6 flex flex-wrap items-end gap-3"
        onChange={(event) => {
          if ((event.target as EventTarget) instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
        }}
      >
        {counts.search ? <input type="hidden" name="find" value={counts.search} /> : null}
        <label className="text-xs font-medium text-ink-2" htmlFor="note">
          Note
          <Select
            id="note"
            name="note"
            key={note?.id}
            defaultValue={note?.id ?? ''}
            className="mt-1 w-96 max-w-full truncate font-normal"
            choices={choices.map((choice) => ({
              value: choice.id,
              label: `${choice.transactionTitle}, ${choice.noteTitle}`,
            }))}
            empty="Choose a note"
          />
        </label>
        <label className="text-xs font-medium text-ink-2" htmlFor="date">
          Date received
          <input
            id="date"
            type="date"
            name="date"
            key={date}
            defaultValue={date}
            max={today}
            className={inputClass('mt-1 w-40 font-normal')}
          />
        </label>
        <Button type="submit">Show balance</Button>
      </Form>
    </>
  );
}

function Owed({ note, date }: { note: ChosenNote; date: string }) {
  return (
    <TableSection
      title="Owed"
      note={
        <>
          <DateText value={date} />
          {note.terms ? `, ${note.terms}` : ''}
        </>
      }
      caption={`Owed on ${note.noteTitle}`}
      rows={note.rows}
      rowKey={(row) => row.currency}
      columns={[
        { head: 'Currency', cell: (row) => row.currency },
        { head: 'Balance', money: (row) => row.balance, unknown: 'No draw or repayment is recorded in this currency' },
        { head: 'Most principal', money: (row) => row.repayable },
        { head: 'Accrued interest, unpaid', money: (row) => row.unpaid, unknown: (row) => row.unknown },
      ]}
    />
  );
}

const PARTS = choicesOf(REPAYMENT_KIND_LABELS).map(({ value, label }) => ({ name: value, label }));

const labelOf = (name: string): string => {
  const part = PARTS.find((known) => name.endsWith(`.${known.name}`));
  return part ? part.label : name;
};

function Amounts({ note, date }: { note: ChosenNote; date: string }) {
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('repayment', repaymentFormDescription, {
    lastResult: answer?.lastResult,
    defaultValue: {
      transaction: note.transactionId,
      noteTitle: note.noteTitle,
      cutOffDate: date,
      amounts: note.rows.map(({ currency }) => ({ currency, principal: '', interest: '', fees: '' })),
    },
  });
  const rows = fields.amounts.getFieldList();
  return (
    <PanelSection title="Received" note="Leave blank if nothing was paid" padded>
      <ScreenForm form={form} intent="record" labels={labelOf}>
        <input type="hidden" name="transaction" value={note.transactionId} />
        <input type="hidden" name="noteTitle" value={note.noteTitle} />
        <input type="hidden" name="cutOffDate" value={date} />
        {rows.map((row, index) => {
          const currency = note.rows[index]?.currency ?? '';
          const shared = { unit: currency, inputMode: 'decimal', marksOptional: false, autoComplete: 'off' } as const;
          return (
            <fieldset key={row.key} className="grid gap-3 sm:grid-cols-3">
              <legend className="sr-only">{currency}</legend>
              <input type="hidden" name={`amounts[${index}].currency`} value={currency} />
              <Fields of={row} lines={PARTS.map((part) => ({ ...part, ...shared }))} />
            </fieldset>
          );
        })}
        {note.rows.some(({ prepayment }) => prepayment.length > 0) ? (
          <>
            <ul className="flex flex-col gap-1 text-sm text-ink-2">
              {note.rows.flatMap(({ currency, repayable, prepayment }) =>
                prepayment.map(({ title, amount, rate, unknown }) => (
                  <li key={`${currency} ${title}`}>
                    {amount === null
                      ? `${title}: unknown. ${unknown}`
                      : `${title}: ${formatRate(rate ?? '0')} of principal that was not due, ${writtenAmount({ sum: amount, currency })} for all ${writtenAmount({ sum: repayable, currency })}. The next invoice asks for it`}
                    .
                  </li>
                )),
              )}
            </ul>
            <Fields
              lines={[
                {
                  name: 'scheduled',
                  label: 'The principal was due',
                  hint: 'No prepayment fee is charged on it',
                  isChecked: true,
                },
              ]}
            />
          </>
        ) : null}
        <FormActions submit="Record repayment" submitting="Recording" cancelTo={paths.repayments()} />
      </ScreenForm>
    </PanelSection>
  );
}

export default function NewRepayment() {
  const page = useLoaderData<typeof loader>();
  const { note, date, counts } = page;
  return (
    <>
      <PageHeader
        title="Record a repayment"
        facts={
          note
            ? [<Name key="note" length={80}>{`${note.transactionTitle}, ${note.noteTitle}`}</Name>]
            : ['Choose the note that was repaid']
        }
      />
      {counts.total === 0 ? (
        <Panel>
          <EmptyState title="No notes yet">A repayment is recorded for a note of an active facility.</EmptyState>
        </Panel>
      ) : (
        <ChooseNote page={page} />
      )}
      {note && note.rows.length === 0 ? (
        <Panel>
          <EmptyState title="This note has no currency">Add a commitment to its terms first.</EmptyState>
        </Panel>
      ) : null}
      {note && note.rows.length > 0 ? (
        <Columns key={`${note.id} ${date}`}>
          <Amounts note={note} date={date} />
          <Owed note={note} date={date} />
        </Columns>
      ) : null}
    </>
  );
}
