import type { SubmissionResult } from '@conform-to/react';
import { useField } from '@conform-to/react';
import { useActionData } from '@remix-run/react';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { DocumentHistory } from '../../../commands/history.server.ts';
import { DateText, Money, Name, Unknown } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { inputClass, Problem, Select, TextField } from '../../../components/forms/fields.tsx';
import type { FormDescription } from '../../../components/forms/form-description.ts';
import { FORM_PANEL } from '../../../components/forms/form-layout.ts';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { numberInput, shownNumber } from '../../../components/forms/typed-number.ts';
import { HistorySection } from '../../../components/history/action-list.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { capitalLabel } from '../capital-form.ts';
import { recordedRemovalFormDescription, statusChoices } from './recorded-form.ts';

/** A NAV or a write-off, as its form shows it. */
export interface RecordedRow {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly cutOffDate: string;
  readonly investor: string | null;
  readonly className: string | null;
  readonly amounts: Readonly<Record<string, DecimalText>>;
}

export interface RecordedPage {
  readonly fund: { readonly id: string; readonly title: string; readonly currency: string };
  readonly rows: readonly RecordedRow[];
  readonly history: DocumentHistory | null;
}

interface Recorded {
  /** ['NAV', 'NAVs'] */
  noun: readonly [one: string, many: string];
  /** The amounts of a row by their fields, in order. */
  amounts: readonly { field: string; label: string }[];
  resource: 'navs' | 'writeOffs';
  description: FormDescription;
  page: RecordedPage;
  backTo: string;
}

interface Answer {
  intent?: string;
  lastResult?: SubmissionResult<string[]>;
}

const CLOSED = 'Closed';

/** Changes and removes NAVs or write-offs, one or several. */
export function RecordedScreen(recorded: Recorded) {
  const { noun, page, backTo, resource } = recorded;
  const [one, many] = noun;
  if (page.rows.length === 0) {
    return (
      <>
        <PageHeader title={`Change ${many}`} />
        <EmptyState
          title={`No ${many} chosen`}
          action={<LinkButton to={backTo}>{page.fund.id ? 'Back to the fund' : 'Open the funds'}</LinkButton>}
        >
          Choose the {many} to change in the list of the fund.
        </EmptyState>
      </>
    );
  }
  const [first] = page.rows;
  return (
    <>
      <PageHeader
        title={page.rows.length === 1 ? `Change ${one}` : `Change ${page.rows.length} ${many}`}
        facts={[<b key="fund">{page.fund.title}</b>, `figures in ${page.fund.currency}`]}
      />
      <ChangeForm {...recorded} />
      <div className="mt-8">
        <RemovalForm {...recorded} />
      </div>
      {page.history && first ? <HistorySection history={page.history} all={{ resource, id: first.id }} /> : null}
    </>
  );
}

function ChangeForm({ noun, amounts, description, page, backTo }: Recorded) {
  const answer = useActionData() as Answer | undefined;
  const open = page.rows.filter(({ status }) => status !== CLOSED);
  const [form] = useScreenForm('change', description, {
    lastResult: answer?.intent === 'change' ? answer.lastResult : null,
    defaultValue: {
      rows: open.map(({ id, version, cutOffDate, status, amounts: own }) => ({
        ...{ id, version: String(version), cutOffDate, status },
        ...own,
      })),
    },
    shouldValidate: 'onSubmit',
  });
  const closed = page.rows.length - open.length;
  return (
    <ScreenForm form={form} intent="change" labels={capitalLabel} currency={page.fund.currency}>
      <PanelSection
        title={page.rows.length === 1 ? 'Values' : `Values of ${page.rows.length} ${noun[1]}`}
        note={closed > 0 ? `${page.fund.currency}; what is closed does not change` : page.fund.currency}
      >
        <Rows
          rows={page.rows}
          open={open}
          amounts={amounts}
          currency={page.fund.currency}
          caption={`${noun[1]} to change`}
        />
      </PanelSection>
      {open.length > 0 ? <FormActions submit="Save" submitting="Saving" cancelTo={backTo} /> : null}
    </ScreenForm>
  );
}

type Input = Readonly<Record<string, string>>;

function Rows({
  rows,
  open,
  amounts,
  currency,
  caption,
}: {
  rows: readonly RecordedRow[];
  open: readonly RecordedRow[];
  amounts: Recorded['amounts'];
  currency: string;
  caption: string;
}) {
  const [list] = useField<Input[]>('rows');
  const items = list.getFieldList();
  const placeOf = new Map(open.map(({ id }, index) => [id, index]));
  /** One input of a row, with its error; plain text for a closed document. */
  const cell = (
    row: RecordedRow,
    part: string,
    label: string,
    plain: React.ReactNode,
    input: (props: object, value: string) => React.ReactNode,
  ) => {
    const field = items[placeOf.get(row.id) ?? -1]?.getFieldset()[part];
    if (!field) return plain;
    const problem = field.errors?.[0];
    const props = {
      id: field.id,
      name: field.name,
      'aria-label': `${label} of ${row.investor ?? 'n/a'}, ${row.cutOffDate}`,
      'aria-invalid': problem ? true : undefined,
      'aria-describedby': problem ? field.errorId : undefined,
    };
    return (
      <>
        {input(props, field.initialValue ?? '')}
        <Problem field={field} label={label} />
      </>
    );
  };
  const ofClass: Column<RecordedRow>[] = rows.some(({ className }) => className !== null)
    ? [{ head: 'Class', cell: (row) => row.className ?? <Unknown /> }]
    : [];
  const hidden = (row: RecordedRow) => {
    const field = items[placeOf.get(row.id) ?? -1]?.getFieldset();
    return field ? (
      <>
        <input type="hidden" name={field.id?.name} value={field.id?.initialValue ?? ''} />
        <input type="hidden" name={field.version?.name} value={field.version?.initialValue ?? ''} />
      </>
    ) : null;
  };
  return (
    <>
      {list.errors ? (
        <p id={list.errorId} className="px-3 pt-3 text-xs text-danger">
          {list.errors[0]}
        </p>
      ) : null}
      <DataTable
        narrow="list"
        caption={caption}
        rows={rows}
        columns={[
          {
            head: 'Investor',
            cell: (row) => (
              <>
                {hidden(row)}
                {row.investor === null ? <Unknown /> : <Name length={40}>{row.investor}</Name>}
              </>
            ),
          },
          ...ofClass,
          {
            head: 'Cut-off date',
            cell: (row) =>
              cell(row, 'cutOffDate', 'Cut-off date', <DateText value={row.cutOffDate} />, (props, value) => (
                <input {...props} type="date" required defaultValue={value} className={inputClass('w-36')} />
              )),
          },
          ...amounts.map(
            ({ field, label }): Column<RecordedRow> => ({
              head: label,
              numeric: true,
              cell: (row) =>
                cell(row, field, label, <Money value={row.amounts[field] ?? null} />, (props, value) => (
                  <input
                    {...props}
                    {...numberInput(currency)}
                    inputMode="decimal"
                    required
                    defaultValue={shownNumber(value, currency)}
                    className={inputClass('figures w-40 text-right')}
                  />
                )),
            }),
          ),
          {
            head: 'Status',
            cell: (row) =>
              cell(row, 'status', 'Status', <StatusChip status={row.status} />, (props, value) => (
                <Select {...props} defaultValue={value} className="w-28" choices={statusChoices(row.status)} />
              )),
          },
        ]}
      />
    </>
  );
}

function RemovalForm({ noun, page, backTo }: Recorded) {
  const answer = useActionData() as Answer | undefined;
  const [form, fields] = useScreenForm('removal', recordedRemovalFormDescription, {
    lastResult: answer?.intent === 'remove' ? answer.lastResult : null,
  });
  const isIssued = page.rows.some(({ status }) => status !== 'Draft');
  const [one, many] = noun;
  return (
    <PanelSection title="Remove" note="the history is kept" className={FORM_PANEL}>
      <ScreenForm form={form} intent="remove" labels={{ reason: 'Reason' }}>
        {page.rows.map(({ id }, index) => (
          <input key={id} type="hidden" name={`ids[${index}]`} value={id} />
        ))}
        <TextField
          field={fields.reason}
          label={isIssued ? 'Reason' : 'Reason (optional)'}
          required={isIssued}
          marksOptional={false}
          maxLength={500}
          hint={isIssued ? 'It was already issued, so the history says why it was removed' : undefined}
        />
        <FormActions
          submit={page.rows.length === 1 ? `Remove ${one}` : `Remove ${formatCount(page.rows.length, one, many)}`}
          submitting="Removing"
          tone="danger"
          cancelTo={backTo}
        />
      </ScreenForm>
    </PanelSection>
  );
}
