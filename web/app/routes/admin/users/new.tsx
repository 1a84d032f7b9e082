import type { FieldMetadata } from '@conform-to/react';
import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createUser } from '@tapeline/db/operations/users/change-users.ts';
import { warnOfUnusualDomain } from '@tapeline/db/operations/users/organizations.ts';
import { USER_TYPE_LABELS, type UserType } from '@tapeline/domain/people/actor.ts';
import { sendInvitation } from '../../../commands/invitations.server.ts';
import { CheckboxField, type Choice } from '../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Panel } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { organizationGroups, rolesByType } from './user-choices.server.ts';
import { GroupedField, OrganizationField, OrganizationSearch, UserFields } from './user-fields.tsx';
import { partyOf, USER_LABELS, userFormSchema } from './user-form.ts';

export const handle = named('Invite a user');

export const loader = readScreen('users/write', ({ db, url }) =>
  db(async (session) => ({
    organizations: await organizationGroups(session, { search: url.searchParams.get('find') ?? '', chosen: null }),
    roles: await rolesByType(session),
  })),
);

export const action = act({
  create: intent({
    permission: 'users/write',
    schema: userFormSchema,
    async run({ organization, invite, ...form }, { db, context, actor }) {
      const body = { ...form, ...partyOf(organization) };
      const { id } = await db(async (session) => {
        await warnOfUnusualDomain(session, body);
        return createUser(session, body);
      });
      if (!invite) return redirect(paths.user(id));
      await sendInvitation(context, actor, { userId: id });
      return redirect(paths.user(id, { sent: 'yes' }));
    },
  }),
});

/** The roles for the chosen organization; all of them, by type, while none is chosen or the page has no scripts. */
function NewRoleField({
  field,
  type,
  roles,
}: {
  field: FieldMetadata<unknown>;
  type: string;
  roles: Readonly<Record<UserType, readonly Choice[]>>;
}) {
  const groups = (Object.keys(roles) as UserType[])
    .filter((one) => (type === '' || one === type) && roles[one].length > 0)
    .map((one) => ({ label: USER_TYPE_LABELS[one], choices: roles[one] }));
  return (
    <GroupedField
      field={field}
      label={USER_LABELS.role}
      hint={
        groups.length > 0
          ? 'Decides what the user can see and do'
          : 'No role can be given to these users. Create one first.'
      }
      empty="Choose a role"
      groups={groups}
    />
  );
}

export default function NewUser() {
  const { organizations, roles } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('user', userFormSchema, {
    lastResult: answer?.lastResult,
    defaultValue: { invite: true },
  });
  const [type = ''] = String(fields.organization.value ?? '').split('/');
  return (
    <>
      <PageHeader title="Invite a user" facts={['They sign in with a link or a code sent to their email']} />
      <OrganizationSearch organizations={organizations} />
      <ScreenForm form={form} intent="create" labels={USER_LABELS} confirm="Invite anyway">
        <Panel className="grid max-w-[46rem] gap-4 p-4 sm:grid-cols-2">
          <OrganizationField field={fields.organization} organizations={organizations} />
          <UserFields fields={fields} role={<NewRoleField field={fields.role} type={type} roles={roles} />} />
          <CheckboxField
            field={fields.invite}
            label={USER_LABELS.invite}
            hint="The link in it works once, within 7 days"
            className="sm:col-span-2"
          />
        </Panel>
        <FormActions submit="Create user" submitting="Creating" cancelTo={paths.users()} />
      </ScreenForm>
    </>
  );
}
