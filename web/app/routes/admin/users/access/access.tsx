import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { updateUser } from '@tapeline/db/operations/users/change-users.ts';
import { getUser } from '@tapeline/db/operations/users/users.ts';
import { z } from 'zod';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { versionField } from '../../../../components/forms/version-field.ts';
import { Chip } from '../../../../components/page/chip.tsx';
import { KeyFigures } from '../../../../components/page/key-figures.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { Columns, PanelSection } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { PermissionMatrix } from '../../permission-matrix.tsx';
import { UserHeader } from '../user-header.tsx';
import { type AccessPage, changedEntries, readAccess } from './access.server.ts';
import { Question } from './question.tsx';
import { RightSource } from './right-source.tsx';

export const handle = named<typeof loader>(
  ({ user }) => [[user.name, paths.user(user.id)], 'Access'],
  (data) => `Access of ${data.user.name}`,
);

export const loader = readScreen('users/read', async (screen) => ({ user: await readAccess(screen) }));

const entrySchema = z.object({
  list: z.enum(['exclusiveResources', 'inclusiveResources']),
  change: z.enum(['add', 'remove']),
  entry: z.string().max(60),
  userVersion: versionField,
});

export const action = act({
  entry: intent({
    permission: 'users/write',
    schema: entrySchema,
    async run({ userVersion: version, ...change }, { db, params, url }) {
      const id = params.id ?? '';
      await db(async (session) => {
        const user = await getUser(session, id);
        return updateUser(session, { id, body: { version, ...changedEntries(user, change) } });
      });
      return redirect(`${url.pathname}${url.search}`);
    },
  }),
});

const listOf = (keys: readonly string[]) => (keys.length === 0 ? 'none' : keys.join(', '));

function DocumentEntries({ user }: { user: AccessPage }) {
  return (
    <TableSection
      title="Single documents"
      note={`Blocked or allowed for ${user.firstName} individually`}
      narrow="list"
      caption="Documents blocked or allowed individually"
      rows={user.documents}
      rowKey={(row) => `${row.list} ${row.entry}`}
      columns={[
        { head: 'Document', cell: (row) => row.name },
        { head: 'Collection', cell: (row) => row.kind },
        {
          head: 'Access',
          cell: (row) =>
            row.list === 'exclusiveResources' ? <Chip tone="danger">Blocked</Chip> : <Chip tone="accent">Allowed</Chip>,
        },
        {
          head: <span className="sr-only">Remove</span>,
          numeric: true,
          cell: (row) =>
            user.mayChange ? (
              <ActionForm
                intent="entry"
                tone="quiet"
                className="inline-block"
                values={{ list: row.list, change: 'remove', entry: row.entry, userVersion: String(user.version) }}
              >
                Remove<span className="sr-only"> the entry for {row.name}</span>
              </ActionForm>
            ) : null,
        },
      ]}
    />
  );
}

function VisibleDocuments({ user }: { user: AccessPage }) {
  return (
    <TableSection
      title="Documents visible"
      note="Now, of those that you can see"
      rows={user.counts}
      rowKey={(row) => row.name}
      columns={[
        { head: 'Collection', cell: (row) => row.label },
        { head: 'Visible', figure: (row) => row.visible },
        { head: 'Hidden', figure: (row) => row.hidden },
        { head: 'Why hidden', quiet: true, cell: (row) => row.why ?? '' },
      ]}
    />
  );
}

export default function Access() {
  const { user } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const problems =
    answer && !answer.done ? Object.values(answer.lastResult.error ?? {}).flatMap((one) => one ?? []) : [];
  const { figures } = user;
  return (
    <>
      <UserHeader
        user={user}
        primary={user.mayChange ? { label: 'Edit access', to: paths.editUserAccess(user.id) } : null}
      />
      {problems.length > 0 ? <Notice tone="danger">{problems.join(' ')}</Notice> : null}
      <KeyFigures
        label="What the user holds"
        figures={[
          {
            label: 'Permissions',
            value: figures.held,
            unit: `of ${figures.all}`,
            note: `${figures.fromRole} from the role`,
          },
          { label: `Added for ${user.firstName}`, value: figures.added.length, note: listOf(figures.added) },
          { label: `Removed for ${user.firstName}`, value: figures.removed.length, note: listOf(figures.removed) },
          {
            label: 'Single documents',
            value: user.documents.length,
            note: 'blocked or allowed',
          },
        ]}
      />
      <Columns split="wide">
        <div className="min-w-0">
          <PanelSection
            title={`What ${user.firstName} can see and do`}
            note="A permission that is both added and removed is held"
          >
            <PermissionMatrix
              caption={`What ${user.firstName} can see and do`}
              groups={user.groups}
              columns={[
                { head: 'Read', cell: ({ read }) => <RightSource source={read} /> },
                { head: 'Write', cell: ({ write }) => <RightSource source={write} /> },
              ]}
            />
          </PanelSection>
          {user.documents.length > 0 ? <DocumentEntries user={user} /> : null}
        </div>
        <div className="min-w-0">
          <Question user={user} />
          <VisibleDocuments user={user} />
        </div>
      </Columns>
    </>
  );
}
