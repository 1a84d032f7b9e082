import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { managerChoices } from '@tapeline/db/operations/managers/managers.ts';
import { actsForAll, mayGrant } from '@tapeline/db/operations/permissions/permissions.ts';
import { createRole, getRole, levelOf } from '@tapeline/db/operations/roles/roles.ts';
import { SelectField } from '../../../components/forms/fields.tsx';
import { FormPage } from '../../../components/forms/form-page.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Panel } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { offeredPermissions } from './offered-permissions.server.ts';
import { RoleFields } from './role-fields.tsx';
import { ROLE_LABELS, roleOfFormDescription, roleOfFormSchema } from './role-form.ts';

export const handle = named('New role');

export const loader = readScreen('roles/write', ({ db, url, actor }) =>
  db(async (session) => {
    const from = url.searchParams.get('from');
    const copied = from ? await getRole(session, from) : null;
    return {
      groups: await offeredPermissions(session),
      managers: actsForAll(session) ? await managerChoices(session) : null,
      values: copied
        ? {
            title: '',
            level: String(Math.max(copied.level, levelOf(actor))),
            permissions: copied.permissions.filter((key) => mayGrant(actor, key)),
          }
        : { permissions: [] },
    };
  }),
);

export const action = act({
  create: intent({
    permission: 'roles/write',
    schema: roleOfFormSchema,
    async run(form, { db }) {
      const { id } = await db((session) => createRole(session, form));
      return redirect(paths.role(id));
    },
  }),
});

export default function NewRole() {
  const { groups, managers, values } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="role"
      stored={null}
      facts={['Decides what its users can read and write']}
      description={roleOfFormDescription}
      answer={useActionData<typeof action>()}
      values={values}
      labels={ROLE_LABELS}
      cancelTo={paths.roles()}
    >
      {(fields) => (
        <>
          {managers ? (
            <Panel className="max-w-[46rem] p-4">
              <SelectField
                field={fields.manager}
                label={ROLE_LABELS.manager}
                choices={managers}
                empty="All managers"
                hint="A role of all managers can be given to the users of each"
              />
            </Panel>
          ) : null}
          <RoleFields fields={fields} groups={groups} />
        </>
      )}
    </FormPage>
  );
}
