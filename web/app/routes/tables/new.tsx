import { redirect } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { createTable } from '@tapeline/db/operations/tables/tables.ts';
import { tableCreateSchema } from '@tapeline/domain/tables/table.schema.ts';
import type { z } from 'zod';
import { TextareaField, TextField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { Panel } from '../../components/page/section.tsx';
import { documentOfForm } from '../../http/form-document.ts';
import { act, intent, readScreenOfManager } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { newTableSchema } from './table-form.ts';
import { NEW_TABLE_LABELS } from './table-words.ts';

export const handle = named('New list');

export const loader = readScreenOfManager('tables/write', () => null);

export const action = act({
  create: intent({
    permission: 'tables/write',
    schema: newTableSchema,
    async run({ name, values = [] }, { db }) {
      const body = documentOfForm(tableCreateSchema, { name, values }, (path) => String(path[0] ?? 'name'));
      const { id } = await db((session) => createTable(session, body));
      return redirect(paths.table(id));
    },
  }),
});

export default function NewTable() {
  const answer = useActionData<typeof action>();
  const [form, fields] = useShortForm<z.input<typeof newTableSchema>>('table', {
    lastResult: answer?.lastResult,
    required: ['name'],
  });
  return (
    <>
      <PageHeader title="New list" facts={['Fixings of base rates are on the list Base rates']} />
      <ScreenForm form={form} intent="create" labels={NEW_TABLE_LABELS}>
        <Panel className="grid max-w-[46rem] gap-4 p-4">
          <TextField field={fields.name} label={NEW_TABLE_LABELS.name} autoComplete="off" />
          <TextareaField
            field={fields.values}
            label={`${NEW_TABLE_LABELS.values} (optional)`}
            hint="One per line"
            rows={10}
          />
        </Panel>
        <FormActions submit="Create list" submitting="Creating" cancelTo={paths.tables()} />
      </ScreenForm>
    </>
  );
}
