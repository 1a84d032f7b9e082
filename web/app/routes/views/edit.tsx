import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getGridView, updateGridView } from '@tapeline/db/operations/grid-views/grid-views.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { GRIDS, gridViewUpdateSchema } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { isOutsider } from '@tapeline/domain/people/actor.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { CheckboxField, TextField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/section.tsx';
import type { CrumbHandle } from '../../components/shell/breadcrumb.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../paths.ts';

export const meta: MetaFunction = () => [{ title: 'Edit a view · Tapeline' }];
export const handle: CrumbHandle<{ title: string }> = {
  crumbs: ({ data: { title } }) => [{ label: 'Views', to: paths.views() }, { label: title }],
};

const LABELS = { title: 'Name', isShared: 'Share with my colleagues', isDefault: 'Open this list with it' };

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, null, async ({ db, params, actor }) => {
    const view = await db((session) => getGridView(session, params.id ?? ''));
    if (view.userId !== actor.userId) throw new Refusal('notFound');
    const { title, grid, isShared, isDefault } = view;
    return { title, grid, isShared, isDefault, mayShare: actor.managerId !== null && !isOutsider(actor.type) };
  });

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    save: intent({
      permission: null,
      schema: gridViewUpdateSchema,
      async run(body, { db, params }) {
        await db((session) => updateGridView(session, { id: params.id ?? '', body }));
        return redirect(paths.views());
      },
    }),
  });

export default function EditView() {
  const { mayShare, grid, ...view } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('view', gridViewUpdateSchema, {
    lastResult: answer?.intent === 'save' ? answer.lastResult : undefined,
    defaultValue: view,
  });
  return (
    <>
      <PageHeader title={view.title} facts={[`view of ${GRIDS[grid]}`]} />
      <ScreenForm form={form} intent="save" labels={LABELS}>
        <Panel className="grid max-w-[46rem] gap-4 p-4">
          <TextField field={fields.title} label={LABELS.title} autoComplete="off" />
          {mayShare ? (
            <CheckboxField
              field={fields.isShared}
              label={LABELS.isShared}
              hint="Everyone who works for the manager sees it. They see only rows that they may see."
            />
          ) : null}
          <CheckboxField field={fields.isDefault} label={LABELS.isDefault} hint="For you only" />
        </Panel>
        <FormActions submit="Save" submitting="Saving">
          <LinkButton to={paths.views()} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
