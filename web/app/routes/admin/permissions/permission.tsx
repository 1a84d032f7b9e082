import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getPermission, updatePermission } from '@tapeline/db/operations/permissions/permissions.ts';
import { permissionUpdateSchema } from '@tapeline/domain/people/permission.schema.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { TextField } from '../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Panel } from '../../../components/page/section.tsx';
import type { CrumbHandle } from '../../../components/shell/breadcrumb.tsx';
import { documentOfForm } from '../../../http/form-document.ts';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { AllowedField } from './allowed-field.tsx';
import { PERMISSION_LABELS, permissionEditSchema } from './permission-form.ts';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.values.title ?? 'Permission'} · Tapeline` },
];
export const handle: CrumbHandle<{ values: { title: string } }> = {
  crumbs: ({ data }) => [{ label: data.values.title }],
};

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'roles/write', ({ db, params }) =>
    db(async (session) => {
      const { key, title, allowed, version } = await getPermission(session, params.id ?? '');
      return { key, values: { title, allowed, permissionVersion: String(version) } };
    }),
  );

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    save: intent({
      permission: 'roles/write',
      schema: permissionEditSchema,
      async run({ permissionVersion: version, ...form }, { db, params }) {
        const id = params.id ?? '';
        await db(async (session) => {
          const { key } = await getPermission(session, id);
          const body = documentOfForm(permissionUpdateSchema, { ...form, id, key, version }, ([field]) =>
            String(field),
          );
          return updatePermission(session, { id, body });
        });
        return redirect(paths.permissions());
      },
    }),
  });

export default function EditPermission() {
  const { key, values } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('permission', permissionEditSchema, {
    lastResult: answer?.lastResult,
    defaultValue: values,
  });
  return (
    <>
      <PageHeader
        title={values.title}
        facts={[
          <span key="key" className="font-mono">
            {key}
          </span>,
        ]}
      />
      <ScreenForm form={form} intent="save" labels={PERMISSION_LABELS}>
        <input
          type="hidden"
          name={fields.permissionVersion.name}
          value={String(fields.permissionVersion.initialValue ?? '')}
        />
        <Panel className="grid max-w-[46rem] gap-4 p-4 sm:grid-cols-2">
          <TextField field={fields.title} label={PERMISSION_LABELS.title} />
          <AllowedField field={fields.allowed} />
        </Panel>
        <FormActions submit="Save" submitting="Saving">
          <LinkButton to={paths.permissions()} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
