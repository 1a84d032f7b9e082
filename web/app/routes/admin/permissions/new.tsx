import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { createPermission } from '@tapeline/db/operations/permissions/permissions.ts';
import { permissionCreateSchema } from '@tapeline/domain/people/permission.schema.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { TextField } from '../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { documentOfForm } from '../../../http/form-document.ts';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { AllowedField } from './allowed-field.tsx';
import { PERMISSION_LABELS, permissionFormSchema } from './permission-form.ts';

export const meta: MetaFunction = () => [{ title: 'New permission · Tapeline' }];
export const handle = { crumbs: () => [{ label: 'New permission' }] };

export const loader = (args: LoaderFunctionArgs) => readScreen(args, 'roles/write', () => null);

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    create: intent({
      permission: 'roles/write',
      schema: permissionFormSchema,
      async run(form, { db }) {
        const body = documentOfForm(permissionCreateSchema, form, ([field]) => String(field));
        await db((session) => createPermission(session, body));
        return redirect(paths.permissions());
      },
    }),
  });

export default function NewPermission() {
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('permission', permissionFormSchema, { lastResult: answer?.lastResult });
  return (
    <>
      <PageHeader
        title="New permission"
        facts={[
          "For this installation's own programs, which read it from GET /auth/me. Tapeline itself does not check it",
        ]}
      />
      <ScreenForm form={form} intent="create" labels={PERMISSION_LABELS}>
        <Panel className="grid max-w-[46rem] gap-4 p-4 sm:grid-cols-2">
          <TextField field={fields.title} label={PERMISSION_LABELS.title} />
          <TextField
            field={fields.key}
            label={PERMISSION_LABELS.key}
            hint="A resource followed by /read or /write. It cannot change later."
          />
          <AllowedField field={fields.allowed} />
        </Panel>
        <FormActions submit="Create permission" submitting="Creating">
          <LinkButton to={paths.permissions()} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
