import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createPermission, getPermission, updatePermission } from '@tapeline/db/operations/permissions/permissions.ts';
import { permissionCreateSchema, permissionUpdateSchema } from '@tapeline/domain/people/permission.schema.ts';
import { TextField } from '../../../components/forms/fields.tsx';
import { FormPage } from '../../../components/forms/form-page.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Panel } from '../../../components/page/section.tsx';
import { documentOfForm } from '../../../http/form-document.ts';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { AllowedField } from './allowed-field.tsx';
import {
  PERMISSION_LABELS,
  permissionEditDescription,
  permissionEditSchema,
  permissionFormDescription,
  permissionFormSchema,
} from './permission-form.ts';

export const handle = named<typeof loader>(({ stored }) => [stored?.values.title ?? 'New permission']);

const readNew = readScreen('roles/write', () => ({ stored: null }));
const readStored = readScreen('roles/write', ({ db, params }) =>
  db(async (session) => {
    const { key, title, allowed, version } = await getPermission(session, params.id ?? '');
    return { stored: { key, values: { title, allowed, permissionVersion: String(version) } } };
  }),
);
export const loader = (args: LoaderFunctionArgs) => (args.params.id ? readStored(args) : readNew(args));

export const action = act({
  create: intent({
    permission: 'roles/write',
    schema: permissionFormSchema,
    async run(form, { db }) {
      const body = documentOfForm(permissionCreateSchema, form, ([field]) => String(field));
      await db((session) => createPermission(session, body));
      return redirect(paths.permissions());
    },
  }),
  save: intent({
    permission: 'roles/write',
    schema: permissionEditSchema,
    async run({ permissionVersion: version, ...form }, { db, params: { id = '' } }) {
      await db(async (session) => {
        const { key } = await getPermission(session, id);
        const body = documentOfForm(permissionUpdateSchema, { ...form, id, key, version }, ([field]) => String(field));
        return updatePermission(session, { id, body });
      });
      return redirect(paths.permissions());
    },
  }),
});

/** A permission of this installation's own programs. The key of a stored one cannot change. */
export default function PermissionForm() {
  const { stored } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="permission"
      stored={stored?.values.title ?? null}
      title={stored?.values.title ?? 'New permission'}
      facts={[
        stored ? (
          <span key="key" className="font-mono">
            {stored.key}
          </span>
        ) : (
          "For this installation's own programs, which read it from GET /auth/me. Tapeline itself does not check it"
        ),
      ]}
      description={stored ? permissionEditDescription : permissionFormDescription}
      answer={useActionData<typeof action>()}
      {...(stored ? { values: stored.values, sentBack: ['permissionVersion'] } : {})}
      labels={PERMISSION_LABELS}
      cancelTo={paths.permissions()}
    >
      {(fields) => (
        <Panel className="grid max-w-[46rem] gap-4 p-4 sm:grid-cols-2">
          <TextField field={fields.title} label={PERMISSION_LABELS.title} />
          {stored ? null : (
            <TextField
              field={(fields as unknown as Record<'key', typeof fields.title>).key}
              label={PERMISSION_LABELS.key}
              hint="A resource followed by /read or /write. It cannot change later."
            />
          )}
          <AllowedField field={fields.allowed} />
        </Panel>
      )}
    </FormPage>
  );
}
