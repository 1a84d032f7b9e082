import type { FieldMetadata } from '@conform-to/react';
import { redirect } from '@remix-run/node';
import { useActionData, useFetcher, useLoaderData } from '@remix-run/react';
import { createUser } from '@tapeline/db/operations/users/change-users.ts';
import { organizationOfDomain, warnOfUnusualDomain } from '@tapeline/db/operations/users/organizations.ts';
import { USER_TYPE_LABELS, type UserType } from '@tapeline/domain/people/actor.ts';
import { useEffect, useState } from 'react';
import { sendInvitation } from '../../../commands/invitations.server.ts';
import { CheckboxField, type Choice } from '../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Panel } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { readTypedEmail, readWholeName } from './names-of-email.ts';
import { organizationGroups, rolesByType } from './user-choices.server.ts';
import { GroupedField, OrganizationField, OrganizationSearch, UserFields } from './user-fields.tsx';
import { ORGANIZATION, partyOf, USER_LABELS, userFormDescription, userFormSchema } from './user-form.ts';

export const handle = named('Invite a user');

/** A domain has at most so many letters. */
const MAX_DOMAIN = 253;

/** The address can name the organization, or the domain of the email, which may tell it. */
export const loader = readScreen('users/write', ({ db, url }) =>
  db(async (session) => {
    const domain = url.searchParams.get('domain')?.toLowerCase().slice(0, MAX_DOMAIN) ?? '';
    const known = domain === '' ? null : await organizationOfDomain(session, domain);
    const asked = url.searchParams.get('organization') ?? '';
    const chosen = known ? `${known.type}/${known.id}` : ORGANIZATION.test(asked) ? asked : null;
    return {
      organization: chosen,
      domainBelongsTo: known?.name ?? null,
      organizations: await organizationGroups(session, { search: url.searchParams.get('find') ?? '', chosen }),
      roles: await rolesByType(session),
    };
  }),
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

/** Fills in a field that is still empty, as if the person had. */
function fillEmpty(id: string, value: string): void {
  const field = document.getElementById(id);
  if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement) || field.value !== '') return;
  setValue(field, value);
}

function setValue(field: HTMLInputElement | HTMLSelectElement, value: string): void {
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** The role of an organization's users where there is no choice; null where there is one. */
function onlyRole(roles: Readonly<Record<UserType, readonly Choice[]>>, organization: string): string | null {
  const [type = ''] = organization.split('/');
  const offered = Object.hasOwn(roles, type) ? roles[type as UserType] : [];
  return offered.length === 1 ? (offered[0]?.value ?? null) : null;
}

export default function NewUser() {
  const { organization, roles, ...page } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('user', userFormDescription, {
    lastResult: answer?.lastResult,
    defaultValue: {
      invite: true,
      organization: organization ?? '',
      role: onlyRole(roles, organization ?? '') ?? '',
    },
  });
  const chosen = String(fields.organization.value ?? '');
  const [type = ''] = chosen.split('/');
  const role = onlyRole(roles, chosen);
  useEffect(() => {
    if (role) fillEmpty(fields.role.id, role);
  }, [role, fields.role.id]);
  const ofDomain = useFetcher<typeof loader>();
  const known = ofDomain.data;
  // A choice that was made stays among those that are offered.
  const [adopted, setAdopted] = useState<typeof page.organizations | null>(null);
  useEffect(() => {
    if (!known?.organization) return;
    const field = document.getElementById(fields.organization.id) as HTMLSelectElement | null;
    if (field?.value === '') setAdopted(known.organizations);
  }, [known, fields.organization.id]);
  useEffect(() => {
    if (adopted && known?.organization) fillEmpty(fields.organization.id, known.organization);
  }, [adopted, known, fields.organization.id]);
  const organizations = adopted ?? page.organizations;
  const isOther = Boolean(known?.organization && chosen !== '' && chosen !== known.organization);
  const readEmail = (field: HTMLInputElement) => {
    const { email, names } = readTypedEmail(field.value);
    if (email !== field.value) setValue(field, email);
    if (names) {
      fillEmpty(fields.firstName.id, names.firstName);
      fillEmpty(fields.lastName.id, names.lastName);
    }
    if (/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email))
      ofDomain.load(paths.newUser({ domain: email.slice(email.lastIndexOf('@') + 1) }));
  };
  const readName = (field: HTMLInputElement) => {
    const lastName = document.getElementById(fields.lastName.id);
    const names = readWholeName(field.value);
    if (!names || !(lastName instanceof HTMLInputElement) || lastName.value !== '') return;
    setValue(field, names.firstName);
    setValue(lastName, names.lastName);
  };
  return (
    <>
      <PageHeader title="Invite a user" facts={['They sign in with a link or a code sent to their email']} />
      <OrganizationSearch organizations={organizations} />
      <ScreenForm form={form} intent="create" labels={USER_LABELS} confirm="Invite anyway">
        <Panel className="grid max-w-[46rem] gap-4 p-4 sm:grid-cols-2">
          <UserFields
            fields={fields}
            organization={<OrganizationField field={fields.organization} organizations={organizations} />}
            role={<NewRoleField field={fields.role} type={type} roles={roles} />}
            emailHint={
              isOther ? `Emails of this domain belong to ${known?.domainBelongsTo}. Check the organization.` : undefined
            }
            onEmail={readEmail}
            onFirstName={readName}
          />
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
