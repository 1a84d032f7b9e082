import type { z } from 'zod';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { TextareaField, TextField } from '../../components/forms/fields.tsx';
import { HiddenField } from '../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { Chip } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { PanelSection } from '../../components/page/section.tsx';
import { TableSection } from '../../components/tables/data-table.tsx';
import type { ActionAnswer } from '../../http/screen.server.ts';
import type { addValuesSchema, renameSchema } from './table-form.ts';
import type { TablePage } from './table-page.server.ts';

type Value = TablePage['values'][number];

function ValueActions({ value, version }: { value: Value; version: number }) {
  const values = { title: value.title, tableVersion: String(version) };
  const name = <span className="sr-only"> {value.title}</span>;
  return (
    <span className="flex justify-end gap-1">
      <ActionForm intent={value.isRetired ? 'restore' : 'retire'} values={values} tone="quiet">
        {value.isRetired ? 'Offer again' : 'Retire'}
        {name}
      </ActionForm>
      {value.isUsed ? null : (
        <ActionForm intent="removeValue" values={values} tone="quiet">
          Remove
          {name}
        </ActionForm>
      )}
    </span>
  );
}

/** The options of a list, with those that are retired. */
export function OptionValues({ page }: { page: TablePage }) {
  const { values, total, retired, version, mayWrite } = page;
  return (
    <TableSection
      title="Values"
      note={retired > 0 ? `${retired} retired: kept on documents, no longer offered` : undefined}
      narrow="list"
      caption={`Values of ${page.name}`}
      rows={values}
      rowKey={(value) => value.title}
      empty={<EmptyState title="No values yet">Add the values that forms should suggest.</EmptyState>}
      columns={[
        {
          head: 'Value',
          cell: (value) => <span className={value.isRetired ? 'text-ink-3' : undefined}>{value.title}</span>,
        },
        { head: 'Status', cell: (value) => <Chip>{value.isRetired ? 'Retired' : 'Offered'}</Chip> },
        { head: 'In use', quiet: true, cell: (value) => (value.isUsed ? 'Yes' : 'No') },
        ...(mayWrite
          ? [
              {
                head: <span className="sr-only">Actions</span>,
                cell: (value: Value) => <ValueActions value={value} version={version} />,
              },
            ]
          : []),
      ]}
      below={<Pagination total={total} limit={page.limit} noun="values" />}
    />
  );
}

export function AddValues({ page, answer }: { page: TablePage; answer: ActionAnswer | undefined }) {
  const [form, fields] = useShortForm<z.input<typeof addValuesSchema>>('add-values', {
    lastResult: answer?.intent === 'add' ? answer.lastResult : null,
    defaultValue: { tableVersion: String(page.version) },
    required: ['values'],
  });
  return (
    <PanelSection title="Add values" padded>
      <ScreenForm form={form} intent="add" labels={{ values: 'Values' }}>
        <HiddenField name="tableVersion" value={page.version} />
        <TextareaField field={fields.values} label="Values" hint="One per line" rows={5} />
        <FormActions submit="Add values" submitting="Adding" tone="plain" />
      </ScreenForm>
    </PanelSection>
  );
}

export function Rename({ page, answer }: { page: TablePage; answer: ActionAnswer | undefined }) {
  const [form, fields] = useShortForm<z.input<typeof renameSchema>>('rename', {
    lastResult: answer?.intent === 'rename' ? answer.lastResult : null,
    defaultValue: { name: page.name },
    required: ['name'],
  });
  return (
    <PanelSection title="Name" padded>
      <ScreenForm form={form} intent="rename" labels={{ name: 'Name' }}>
        <HiddenField name="tableVersion" value={page.version} />
        <TextField field={fields.name} label="Name" autoComplete="off" />
        <FormActions submit="Rename" submitting="Renaming" tone="plain" />
      </ScreenForm>
    </PanelSection>
  );
}
