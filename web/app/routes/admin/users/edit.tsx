import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { updateUser } from '@tapeline/db/operations/users/change-users.ts';
import { investorsOfManager } from '@tapeline/db/operations/users/organizations.ts';
import { rightsOfUserBeyond } from '@tapeline/db/operations/users/user-access.ts';
import { getUser } from '@tapeline/db/operations/users/users.ts';
import { HiddenField } from '../../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Panel, Section } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { InvestorSearch, UserInvestorFields } from './investor-fields.tsx';
import { roleChoices } from './user-choices.server.ts';
import { RoleField, UserFields } from './user-fields.tsx';
import { USER_LABELS, userEditDescription, userEditSchema } from './user-form.ts';

export const handle = named<typeof loader>(({ id, name }) => [[name, paths.user(id)], 'Edit']);

export const loader = readScreen('users/write', ({ db, params, url }) =>
  db(async (session) => {
    const user = await getUser(session, params.id ?? '');
    return {
      id: user.id,
      name: `${user.firstName} ${user.lastName}`,
      organization: user.organization,
      roles: await roleChoices(session, { type: user.type, chosen: user.roleId ?? null }),
      // Whoever changes how somebody signs in must hold what they hold.
      beyond: await rightsOfUserBeyond(session, user),
      isInvited: user.status === 'Pending',
      investors: await investorsOfManager(session, user, url.searchParams.get('find') ?? ''),
      values: {
        firstName: user.firstName,
        lastName: user.lastName,
        email: user.email,
        role: user.roleId ?? '',
        recoveryEmail: user.recoveryEmail ?? '',
        phoneNumber: user.phoneNumber ?? '',
        LPs: user.LPs,
        userVersion: String(user.version),
      },
    };
  }),
);

export const action = act({
  save: intent({
    permission: 'users/write',
    schema: userEditSchema,
    async run({ userVersion, LPs, role, recoveryEmail, phoneNumber, ...form }, { db, params }) {
      const id = params.id ?? '';
      await db(async (session) => {
        const { type, assoc } = await getUser(session, id);
        // Without other investors, the user still acts for their own.
        const own = 'LP' in assoc ? [assoc.LP.id] : [];
        const body = {
          ...form,
          role: role ?? null,
          recoveryEmail: recoveryEmail ?? null,
          phoneNumber: phoneNumber ?? null,
          ...(type === 'LP' ? { LPs: LPs.length > 0 ? LPs : own } : {}),
          version: userVersion,
        };
        return updateUser(session, { id, body });
      });
      return redirect(paths.user(id));
    },
  }),
});

export default function EditUser() {
  const { id, name, organization, roles, beyond, isInvited, investors, values } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('user', userEditDescription, {
    lastResult: answer?.lastResult,
    defaultValue: values,
  });
  return (
    <>
      <PageHeader title={`Edit ${name}`} facts={[organization ?? 'All managers']} />
      {investors ? <InvestorSearch investors={investors} /> : null}
      <ScreenForm form={form} intent="save" labels={USER_LABELS}>
        <HiddenField name="userVersion" />
        <Panel className="grid max-w-[46rem] gap-4 p-4 sm:grid-cols-2">
          <UserFields
            fields={fields}
            role={<RoleField field={fields.role} roles={roles} />}
            beyond={beyond}
            emailHint={isInvited ? undefined : 'A new email works once it is confirmed from that address'}
          />
        </Panel>
        {investors ? (
          <Section title="Investors" note="Whose documents the user sees">
            <UserInvestorFields field={fields.LPs} investors={investors} />
          </Section>
        ) : null}
        <FormActions submit="Save" submitting="Saving" cancelTo={paths.user(id)} />
      </ScreenForm>
    </>
  );
}
