import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { endSession, listSessions } from '@tapeline/db/operations/identity/sessions.ts';
import { z } from 'zod';
import { DateText } from '../components/figures/figures.tsx';
import { ActionForm } from '../components/forms/screen-form.tsx';
import { Chip } from '../components/page/chip.tsx';
import { PageHeader } from '../components/page/page-header.tsx';
import { Columns, Facts, Panel, Section } from '../components/page/section.tsx';
import type { CrumbHandle } from '../components/shell/breadcrumb.tsx';
import { ThemeSwitch } from '../components/shell/me-menu.tsx';
import { DataTable } from '../components/tables/data-table.tsx';
import { nameAgent } from '../figures/agent.ts';
import { humanize } from '../figures/format.ts';
import { paths } from '../paths.ts';
import { act, intent, readScreen } from '../screen.server.ts';
import { useShell } from '../shell-data.ts';

export const meta: MetaFunction = () => [{ title: 'Account · Tapeline' }];
export const handle: CrumbHandle = { crumbs: () => [{ label: 'Account' }] };

export function loader(args: LoaderFunctionArgs) {
  return readScreen(args, null, async ({ actor, familyId, context }) => {
    const sessions = await listSessions(context.store, { userId: actor.userId, now: new Date() });
    return {
      profile: {
        name: `${actor.firstName} ${actor.lastName}`,
        email: actor.email,
        type: actor.type,
        role: actor.roleTitle,
        tenant: actor.assocTitle,
      },
      sessions: sessions.map((session) => ({
        id: session.familyId,
        agent: nameAgent(session.agent),
        address: session.ip,
        signedInAt: session.signedInAt.toISOString(),
        lastUsedAt: session.lastUsedAt.toISOString(),
        isThis: session.familyId === familyId,
      })),
    };
  });
}

export function action(args: ActionFunctionArgs) {
  return act(args, {
    endSession: intent({
      permission: null,
      schema: z.object({ id: z.string().length(24) }),
      async run({ id }, { actor, context }) {
        await endSession(context.store, { userId: actor.userId, familyId: id, now: new Date() });
        return redirect(paths.account());
      },
    }),
  });
}

export default function Account() {
  const { profile, sessions } = useLoaderData<typeof loader>();
  const shell = useShell();
  return (
    <>
      <PageHeader title="Account" facts={[profile.email]} />
      <Columns>
        <Section title="Profile">
          <Panel padded>
            <Facts
              items={[
                { label: 'Name', value: profile.name },
                { label: 'Email', value: profile.email },
                { label: 'Role', value: profile.role ?? humanize(profile.type) },
                { label: 'Acting for', value: profile.tenant ?? 'Everyone' },
              ]}
            />
          </Panel>
        </Section>
        <Section title="Theme" note="kept in this browser">
          <Panel padded>
            <ThemeSwitch theme={shell.theme} />
          </Panel>
        </Section>
      </Columns>
      <Section title="Where you are signed in" note="times in UTC">
        <Panel>
          <DataTable
            narrow="list"
            caption="Open sessions"
            rows={sessions}
            rowKey={(session) => session.id}
            columns={[
              { key: 'agent', head: 'Browser', cell: (session) => session.agent },
              {
                key: 'address',
                head: 'Address',
                quiet: true,
                wideOnly: true,
                cell: (session) => session.address?.replace(/^::ffff:/, '') ?? 'n/a',
              },
              {
                key: 'since',
                head: 'Signed in',
                wideOnly: true,
                cell: (session) => <DateText time="bare" value={session.signedInAt} />,
              },
              {
                key: 'used',
                head: 'Last used',
                cell: (session) => <DateText time="bare" value={session.lastUsedAt} />,
              },
              {
                key: 'end',
                head: <span className="sr-only">End</span>,
                numeric: true,
                cell: (session) =>
                  session.isThis ? (
                    <Chip tone="good">This browser</Chip>
                  ) : (
                    <ActionForm intent="endSession" values={{ id: session.id }} tone="quiet" className="inline-block">
                      Sign out
                    </ActionForm>
                  ),
              },
            ]}
          />
        </Panel>
      </Section>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../components/page/error-screen.tsx';
