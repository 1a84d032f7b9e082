import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getGroupFilter, updateGroupFilter } from '@tapeline/db/operations/group-filters/group-filters.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { FormPage } from '../../components/forms/form-page.tsx';
import { HiddenField } from '../../components/forms/hidden-field.tsx';
import { named } from '../../components/page/page-name.ts';
import { Panel } from '../../components/page/section.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { filterChoices, filterOfForm } from './filter-choices.server.ts';
import { filterEditDescription, filterEditSchema } from './filter-form.ts';
import { FILTER_LABELS, FilterChoices } from './selection-fields.tsx';

export const handle = named<typeof loader>(({ title }) => [['Saved filters', paths.filters()], title], 'Edit a filter');

export const loader = readScreen(null, ({ db, params }) =>
  db(async (session) => {
    const { title, version, fundIds, investorIds } = await getGroupFilter(session, params.id ?? '');
    return { title, version, fundIds, investorIds, ...(await filterChoices(session)) };
  }),
);

export const action = act({
  save: intent({
    permission: null,
    schema: filterEditSchema,
    async run({ version, ...form }, { db, params }) {
      const body = { ...filterOfForm(form), version };
      await db((session) => updateGroupFilter(session, { id: params.id ?? '', body }));
      return redirect(paths.filters());
    },
  }),
});

export default function EditFilter() {
  const { title, version, fundIds, investorIds, funds, investors } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="filter"
      stored={title}
      title={title}
      facts={['saved filter', 'only you can see it']}
      description={filterEditDescription}
      answer={useActionData<typeof action>()}
      values={{ title }}
      labels={FILTER_LABELS}
      submit="Save filter"
      cancelTo={paths.filters()}
    >
      {(fields) => (
        <>
          <HiddenField name="version" value={version} />
          <Panel className="grid max-w-[46rem] gap-4 p-4">
            <TextField field={fields.title} label={FILTER_LABELS.title} autoComplete="off" />
            <FilterChoices name="funds" label={FILTER_LABELS.funds} choices={funds} chosen={fundIds} />
            <FilterChoices name="investors" label={FILTER_LABELS.investors} choices={investors} chosen={investorIds} />
            {fields.funds.errors ? <p className="text-xs text-danger">{fields.funds.errors.join('. ')}</p> : null}
          </Panel>
        </>
      )}
    </FormPage>
  );
}
