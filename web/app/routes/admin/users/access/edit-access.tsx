import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { mayGrant } from '@tapeline/db/operations/permissions/permissions.ts';
import { type PermissionSource, sourcesOf } from '@tapeline/db/operations/users/access-report.ts';
import { updateUser } from '@tapeline/db/operations/users/change-users.ts';
import { getUser } from '@tapeline/db/operations/users/users.ts';
import { inputClass } from '../../../../components/forms/fields.tsx';
import { HiddenField } from '../../../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../../components/forms/screen-form.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { Panel } from '../../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { areasOf } from '../../areas.ts';
import { PermissionMatrix } from '../../permission-matrix.tsx';
import { accessFormDescription, accessFormSchema, listsOf } from './access-form.ts';

export const handle = named<typeof loader>(
  ({ id, name }) => [[name, paths.user(id)], ['Access', paths.userAccess(id)], 'Edit'],
  (data) => `Edit access of ${data.name}`,
);

export const loader = readScreen('users/write', ({ db, params, actor }) =>
  db(async (session) => {
    const user = await getUser(session, params.id ?? '');
    const sources = await sourcesOf(session, user);
    return {
      id: user.id,
      name: `${user.firstName} ${user.lastName}`,
      role: user.roleTitle,
      version: String(user.version),
      groups: areasOf(sources.map((source) => ({ ...source, grantable: mayGrant(actor, source.key) }))),
    };
  }),
);

export const action = act({
  save: intent({
    permission: 'users/write',
    schema: accessFormSchema,
    async run({ entries, userVersion: version }, { db, params }) {
      const id = params.id ?? '';
      await db(async (session) => {
        const user = await getUser(session, id);
        return updateUser(session, { id, body: { version, ...listsOf(entries, user) } });
      });
      return redirect(paths.userAccess(id));
    },
  }),
});

/** What the user gets without an entry, with one that adds the permission, or with one that removes it. */
function EntrySelect({
  source,
  label,
  name,
  entered,
}: {
  source: (PermissionSource & { grantable: boolean }) | null;
  label: string;
  name: string;
  /** The choices of a form that was refused. */
  entered: readonly string[] | null;
}) {
  if (!source) return <span className="text-xs text-ink-3">read only</span>;
  if (!source.allowed) return <span className="text-xs text-ink-3">not for this type</span>;
  const { key, granted, blocked, inRole, grantable } = source;
  const stored = granted ? `+${key}` : blocked ? `-${key}` : '';
  const value = entered ? (entered.find((entry) => entry.slice(1) === key) ?? '') : stored;
  return (
    <select name={name} defaultValue={value} aria-label={label} className={inputClass('w-36')}>
      <option value="">{inRole ? 'As the role: yes' : 'As the role: no'}</option>
      {grantable || granted ? <option value={`+${key}`}>Added</option> : null}
      <option value={`-${key}`}>Removed</option>
    </select>
  );
}

export default function EditAccess() {
  const { id, name, role, version, groups } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('access', accessFormDescription, {
    lastResult: answer?.lastResult,
    defaultValue: { userVersion: version },
    shouldValidate: 'onSubmit',
  });
  const entered = answer ? [fields.entries.initialValue].flat().map(String) : null;
  return (
    <>
      <PageHeader
        title={`Edit access of ${name}`}
        facts={[role ? `role ${role}` : 'no role', 'what differs from the role, for this user alone']}
      />
      <ScreenForm form={form} intent="save" labels={{ entries: 'Permissions' }}>
        <HiddenField name="userVersion" />
        <Panel className="max-w-[52rem]">
          <PermissionMatrix
            caption="Permissions of the user"
            groups={groups}
            columns={[
              {
                head: 'Read',
                cell: ({ label, read }) => (
                  <EntrySelect source={read} label={`Read ${label}`} name={fields.entries.name} entered={entered} />
                ),
              },
              {
                head: 'Write',
                cell: ({ label, write }) => (
                  <EntrySelect source={write} label={`Write ${label}`} name={fields.entries.name} entered={entered} />
                ),
              },
            ]}
          />
        </Panel>
        <FormActions submit="Save" submitting="Saving" cancelTo={paths.userAccess(id)} />
      </ScreenForm>
    </>
  );
}
