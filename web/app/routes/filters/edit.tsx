import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getGroupFilter, updateGroupFilter } from '@tapeline/db/operations/group-filters/group-filters.ts';
import { z } from 'zod';
import { LinkButton } from '../../components/forms/button.tsx';
import { TextField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/section.tsx';
import type { CrumbHandle } from '../../components/shell/breadcrumb.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../paths.ts';
import { filterChoices, filterOfForm } from './filter-choices.server.ts';
import { FILTER_LABELS, FilterChoices, filterFormSchema } from './selection-fields.tsx';

export const meta: MetaFunction = () => [{ title: 'Edit a filter · Tapeline' }];
export const handle: CrumbHandle<{ title: string }> = {
  crumbs: ({ data: { title } }) => [{ label: 'Saved filters', to: paths.filters() }, { label: title }],
};

const formSchema = filterFormSchema.extend({ version: z.coerce.number().int() });

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, null, ({ db, params }) =>
    db(async (session) => {
      const { title, version, fundIds, investorIds } = await getGroupFilter(session, params.id ?? '');
      return { title, version, fundIds, investorIds, ...(await filterChoices(session)) };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    save: intent({
      permission: null,
      schema: formSchema,
      async run({ version, ...form }, { db, params }) {
        const body = { ...filterOfForm(form), version };
        await db((session) => updateGroupFilter(session, { id: params.id ?? '', body }));
        return redirect(paths.filters());
      },
    }),
  });

export default function EditFilter() {
  const { title, version, fundIds, investorIds, funds, investors } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('filter', formSchema, {
    lastResult: answer?.intent === 'save' ? answer.lastResult : undefined,
    defaultValue: { title },
  });
  return (
    <>
      <PageHeader title={title} facts={['saved filter', 'only you can see it']} />
      <ScreenForm form={form} intent="save" labels={FILTER_LABELS}>
        <input type="hidden" name="version" value={version} />
        <Panel className="grid max-w-[46rem] gap-4 p-4">
          <TextField field={fields.title} label={FILTER_LABELS.title} autoComplete="off" />
          <FilterChoices name="funds" label={FILTER_LABELS.funds} choices={funds} chosen={fundIds} />
          <FilterChoices name="investors" label={FILTER_LABELS.investors} choices={investors} chosen={investorIds} />
          {fields.funds.errors ? <p className="text-xs text-danger">{fields.funds.errors.join('. ')}</p> : null}
        </Panel>
        <FormActions submit="Save filter" submitting="Saving">
          <LinkButton to={paths.filters()} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
