import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { removeUsers, updateUser } from '@tapeline/db/operations/users/change-users.ts';
import { getUser } from '@tapeline/db/operations/users/users.ts';
import { USER_TYPE_LABELS } from '@tapeline/domain/people/actor.ts';
import { USER_STATUSES } from '@tapeline/domain/people/states.ts';
import { z } from 'zod';
import { sendInvitation } from '../../../commands/invitations.server.ts';
import { DateText, Unknown } from '../../../components/figures/figures.tsx';
import { formatInstant } from '../../../components/figures/format.ts';
import { ActionForm } from '../../../components/forms/action-form.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { HistorySection } from '../../../components/history/action-list.tsx';
import { AskOnPage } from '../../../components/overlays/ask-on-page.tsx';
import { ConfirmForm } from '../../../components/overlays/confirm-form.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Facts, PanelSection } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { UserHeader } from './user-header.tsx';
import { type UserPage, viewUser } from './user-page.server.ts';

export const handle = named<typeof loader>(({ user }) => [user.name]);

export const loader = readScreen('users/read', async (screen) => ({
  user: await viewUser(screen),
  confirms: screen.url.searchParams.get('confirm'),
  sent: screen.url.searchParams.get('sent') !== null,
}));

const confirmed = z.object({ confirmed: z.literal('yes').optional() });

export const action = act({
  invite: intent({
    permission: 'users/write',
    schema: z.object({}),
    async run(_, { context, actor, params }) {
      const id = params.id ?? '';
      await sendInvitation(context, actor, { userId: id, resend: true });
      return redirect(paths.user(id, { sent: 'yes' }));
    },
  }),
  status: intent({
    permission: 'users/write',
    schema: confirmed.extend({ status: z.enum(USER_STATUSES) }),
    async run({ status, confirmed: isConfirmed }, { db, params }) {
      const id = params.id ?? '';
      if (status === 'Disabled' && !isConfirmed) return redirect(paths.user(id, { confirm: 'Disabled' }));
      const isAsked = await db(async (session) => {
        const { version, status: before } = await getUser(session, id);
        if (before === 'Pending' && status === 'Active' && !isConfirmed) return true;
        await updateUser(session, { id, body: { version, status } });
        return false;
      });
      return redirect(paths.user(id, isAsked ? { confirm: 'Active' } : {}));
    },
  }),
  cancelEmail: intent({
    permission: 'users/write',
    schema: z.object({}),
    async run(_, { db, params }) {
      const id = params.id ?? '';
      await db(async (session) => {
        const { version } = await getUser(session, id);
        return updateUser(session, { id, body: { version, pendingEmail: null } });
      });
      return redirect(paths.user(id));
    },
  }),
  remove: intent({
    permission: 'users/write',
    schema: confirmed,
    async run({ confirmed: isConfirmed }, { db, params }) {
      const id = params.id ?? '';
      if (!isConfirmed) return redirect(paths.user(id, { confirm: 'remove' }));
      const name = await db(async (session) => {
        const { firstName, lastName } = await getUser(session, id);
        await removeUsers(session, [id]);
        return `${firstName} ${lastName}`;
      });
      return redirect(paths.users({ removed: name }));
    },
  }),
});

const DISABLING = 'They are signed out at once and cannot sign in until they are enabled again.';
const activating = (email: string) =>
  `Nobody has confirmed ${email} yet. An active user can sign in without an invitation, and gets emails about documents.`;
const REMOVING = 'They are signed out at once. Their history is kept, and their email can be invited again.';

function Actions({ user }: { user: UserPage }) {
  return (
    <>
      {user.mayInvite ? (
        <ActionForm intent="invite">
          {user.hasInvitation ? 'Resend invitation' : user.status === 'Pending' ? 'Invite' : 'Send sign-in link'}
        </ActionForm>
      ) : null}
      {user.transitions.includes('Active') ? (
        user.status === 'Pending' ? (
          <ConfirmForm
            intent="status"
            values={{ status: 'Active' }}
            label="Activate"
            title={`Activate ${user.name}?`}
            consequence={activating(user.email)}
            confirm="Activate"
            tone="primary"
          />
        ) : (
          <ActionForm intent="status" values={{ status: 'Active' }}>
            Enable
          </ActionForm>
        )
      ) : null}
      {user.transitions.includes('Disabled') ? (
        <ConfirmForm
          intent="status"
          values={{ status: 'Disabled' }}
          label="Disable"
          title={`Disable ${user.name}?`}
          consequence={DISABLING}
          confirm="Disable"
        />
      ) : null}
      {user.mayRemove ? (
        <ConfirmForm
          intent="remove"
          label="Remove"
          title={`Remove ${user.name}?`}
          consequence={REMOVING}
          confirm="Remove"
        />
      ) : null}
      {user.mayEdit ? (
        <LinkButton to={paths.editUser(user.id)} tone="primary">
          Edit
        </LinkButton>
      ) : null}
    </>
  );
}

function Notices({ user, confirms, sent }: { user: UserPage; confirms: string | null; sent: boolean }) {
  const answer = useActionData<typeof action>();
  const problems =
    answer && !answer.done ? Object.values(answer.lastResult.error ?? {}).flatMap((one) => one ?? []) : [];
  return (
    <>
      {problems.length > 0 ? <Notice tone="danger">{problems.join(' ')}</Notice> : null}
      {sent ? (
        <Notice tone="good">The email to {user.email} was sent. Its link works once, within 7 days.</Notice>
      ) : null}
      {confirms === 'Disabled' && user.transitions.includes('Disabled') ? (
        <AskOnPage
          intent="status"
          values={{ status: 'Disabled' }}
          title={`Disable ${user.name}?`}
          consequence={DISABLING}
          confirm="Disable"
          backTo={paths.user(user.id)}
        />
      ) : null}
      {confirms === 'Active' && user.status === 'Pending' && user.transitions.includes('Active') ? (
        <AskOnPage
          intent="status"
          values={{ status: 'Active' }}
          title={`Activate ${user.name}?`}
          consequence={activating(user.email)}
          confirm="Activate"
          backTo={paths.user(user.id)}
        />
      ) : null}
      {user.pendingEmail ? (
        <Notice tone="warning">
          {user.confirmableUntil
            ? `${user.pendingEmail} becomes the email once it is confirmed from that address, until ${formatInstant(user.confirmableUntil)} UTC. Until then, ${user.email} stays.`
            : `${user.pendingEmail} was not confirmed in time, so ${user.email} stays. Enter it again to send new emails.`}{' '}
          {user.mayEdit && !user.isSelf ? <ActionForm intent="cancelEmail">Cancel the change</ActionForm> : null}
        </Notice>
      ) : null}
      {confirms === 'remove' && user.mayRemove ? (
        <AskOnPage
          intent="remove"
          title={`Remove ${user.name}?`}
          consequence={REMOVING}
          confirm="Remove"
          backTo={paths.user(user.id)}
        />
      ) : null}
      {user.unusualDomain ? (
        <Notice tone="warning">
          {user.unusualDomain} is not one of the email domains of {user.organization}. Check the address before you
          invite.
        </Notice>
      ) : null}
    </>
  );
}

export default function UserScreen() {
  const { user, confirms, sent } = useLoaderData<typeof loader>();
  return (
    <>
      <UserHeader user={user} actions={<Actions user={user} />} />
      <Notices user={user} confirms={confirms} sent={sent} />
      <PanelSection title="Details" padded>
        <Facts
          items={[
            { label: 'Email', value: user.email },
            { label: 'Recovery email', value: user.recoveryEmail ?? <Unknown reason="Not given" /> },
            { label: 'Phone number', value: user.phoneNumber ?? <Unknown reason="Not given" /> },
            { label: 'Type', value: USER_TYPE_LABELS[user.type] },
            {
              label: 'Organization',
              value: user.organizationPage ? (
                <Link to={user.organizationPage} className="text-accent hover:underline">
                  {user.organization}
                </Link>
              ) : (
                (user.organization ?? 'All managers')
              ),
            },
            ...(user.type === 'LP' ? [{ label: 'Investors', value: Math.max(1, user.investors) }] : []),
            {
              label: 'Role',
              value:
                user.role && user.mayReadRoles ? (
                  <Link to={paths.role(user.role.id)} className="text-accent hover:underline">
                    {user.role.title}
                  </Link>
                ) : (
                  (user.role?.title ?? 'No role')
                ),
            },
            { label: 'Invitation', value: user.invitation },
            { label: 'Created', value: <DateText value={user.createdAt} /> },
            { label: 'Privacy and terms', value: user.hasAcceptedTerms ? 'Accepted' : 'Not accepted yet' },
            { label: 'Details', value: user.hasConfirmedDetails ? 'Confirmed' : 'Not confirmed yet' },
          ]}
        />
      </PanelSection>
      {user.history ? <HistorySection history={user.history} all={{ resource: 'users', id: user.id }} /> : null}
    </>
  );
}
