import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { updateProfile } from '@tapeline/db/operations/identity/profile.ts';
import { removeRecoveryEmail } from '@tapeline/db/operations/identity/recovery-email.ts';
import { endEverySession, endSession, listSessions } from '@tapeline/db/operations/identity/sessions.ts';
import { getUser } from '@tapeline/db/operations/users/users.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { can, USER_TYPE_LABELS, type UserActor } from '@tapeline/domain/people/actor.ts';
import { nameAgent } from '@tapeline/domain/people/device-name.ts';
import { z } from 'zod';
import { confirmRecovery } from '../../commands/recovery-email.server.ts';
import { sendRecoveryCode } from '../../commands/sign-in-code.server.ts';
import { Chip } from '../../components/page/chip.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { Columns, Facts, PanelSection } from '../../components/page/section.tsx';
import { ThemeSwitch } from '../../components/shell/me-menu.tsx';
import { useShell } from '../../components/shell/shell-data.ts';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { endThisSession, originOf } from '../../http/session.server.ts';
import { logSessionEvent } from '../../http/sign-in-log.server.ts';
import { paths } from '../../paths.ts';
import { profileSchema, recoveryCodeSchema, recoverySchema } from './account-forms.ts';
import { ProfileSection } from './profile.tsx';
import { RecoverySection } from './recovery.tsx';
import { SessionsSection } from './sessions.tsx';

export const handle = named('Account');

const SAVED = {
  profile: 'Your profile is saved.',
  recovery: 'Your recovery email is confirmed.',
  removed: 'Your recovery email is removed.',
} as const;
type Saved = keyof typeof SAVED;

/** The page with the bank accounts of the investor or the borrower that the person acts for; null for others. */
function whereItIsPaid(actor: UserActor): string | null {
  const { companyId, lpIds } = actor;
  if (companyId !== null) return can(actor, 'companies/read') ? paths.company(companyId, { view: 'details' }) : null;
  const [investor, other] = lpIds;
  if (investor === undefined || !can(actor, 'LPs/read')) return null;
  return other === undefined ? paths.investor(investor, { view: 'details' }) : paths.investors();
}

export const loader = readScreen(null, async ({ actor, familyId, context, db, url }) => {
  const sessions = await listSessions(context.store, { userId: actor.userId, now: new Date() });
  const user = await db((session) => getUser(session, actor.userId));
  const recoveryEmail = user.recoveryEmail ?? null;
  const saved = url.searchParams.get('saved') ?? '';
  return {
    email: user.email,
    details: {
      firstName: user.firstName,
      lastName: user.lastName,
      phoneNumber: user.phoneNumber ?? null,
      version: user.version,
    },
    role: actor.roleTitle ?? USER_TYPE_LABELS[actor.type],
    tenant: actor.assocTitle ?? 'All managers',
    paidAt: whereItIsPaid(actor),
    recovery: {
      email: recoveryEmail,
      isConfirmed: recoveryEmail !== null && user.confirmedRecoveryEmail === recoveryEmail,
      pending: recoverySchema.safeParse({ email: url.searchParams.get('recovery') }).data?.email ?? null,
    },
    saved: Object.hasOwn(SAVED, saved) ? SAVED[saved as Saved] : null,
    sessions: sessions.map((session) => ({
      id: session.familyId,
      agent: nameAgent(session.agent),
      address: session.ip ?? null,
      signedInAt: session.signedInAt.toISOString(),
      lastUsedAt: session.lastUsedAt.toISOString(),
      isThis: session.familyId === familyId,
    })),
  };
});

export const action = act({
  saveProfile: intent({
    permission: null,
    schema: profileSchema,
    async run({ version, ...form }, { actor, context, request }) {
      const details = { ...form, phoneNumber: form.phoneNumber ?? null };
      await updateProfile(context.store, actor, { details, version, origin: originOf(request, context) });
      return redirect(paths.account({ saved: 'profile' }));
    },
  }),
  requestRecovery: intent({
    permission: null,
    schema: recoverySchema,
    async run({ email }, { actor, context, request }) {
      await sendRecoveryCode(request, context, { userId: actor.userId, email });
      return redirect(paths.account({ recovery: email }));
    },
  }),
  confirmRecovery: intent({
    permission: null,
    schema: recoveryCodeSchema,
    async run(entry, screen) {
      await confirmRecovery(screen, entry);
      return redirect(paths.account({ saved: 'recovery' }));
    },
  }),
  removeRecovery: intent({
    permission: null,
    schema: z.object({}),
    async run(_form, { actor, context, request }) {
      await removeRecoveryEmail(context.store, actor, originOf(request, context));
      return redirect(paths.account({ saved: 'removed' }));
    },
  }),
  endSession: intent({
    permission: null,
    schema: z.object({ id: idSchema }),
    async run({ id }, { actor, context }) {
      await endSession(context.store, { userId: actor.userId, familyId: id, now: new Date() });
      logSessionEvent(context, 'session ended', { userId: actor.userId, familyId: id });
      return redirect(paths.account());
    },
  }),
  endEverySession: intent({
    permission: null,
    schema: z.object({}),
    async run(_form, { actor, context, request }) {
      await endEverySession(context.store, { userId: actor.userId });
      logSessionEvent(context, 'signed out everywhere', actor);
      await endThisSession(request, context);
      return redirect(paths.login());
    },
  }),
});

export default function Account() {
  const { email, details, role, tenant, paidAt, recovery, saved, sessions } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const lastResult = (name: string) => (answer?.intent === name ? answer.lastResult : null);
  const shell = useShell();
  return (
    <>
      <PageHeader title="Account" facts={[email]} />
      {saved && !answer ? <Notice tone="good">{saved}</Notice> : null}
      <Columns>
        <ProfileSection
          details={details}
          facts={[
            { label: 'Email', value: email },
            { label: 'Role', value: role },
            { label: 'Acting for', value: tenant },
            ...(paidAt
              ? [
                  {
                    label: 'Bank accounts',
                    value: (
                      <Link to={paidAt} className="tap-text text-accent hover:underline">
                        Where you are paid
                      </Link>
                    ),
                  },
                ]
              : []),
          ]}
          lastResult={lastResult('saveProfile')}
        />
        <div className="min-w-0">
          <RecoverySection
            recovery={recovery}
            lastResults={{ request: lastResult('requestRecovery'), confirm: lastResult('confirmRecovery') }}
          />
          <PanelSection title="Notifications" padded>
            <Link to={paths.notificationSettings()} className="tap-text text-sm text-accent hover:underline">
              Choose how you are told
            </Link>
          </PanelSection>
          <PanelSection title="Theme" note="saved in this browser" padded>
            <ThemeSwitch theme={shell.theme} />
          </PanelSection>
          <PanelSection title="Privacy and terms" padded>
            <Facts
              items={[
                { label: 'Privacy notice', value: <Accepted to={paths.privacy()} what="the privacy notice" /> },
                { label: 'Terms of use', value: <Accepted to={paths.terms()} what="the terms of use" /> },
              ]}
            />
          </PanelSection>
        </div>
      </Columns>
      <SessionsSection sessions={sessions} />
    </>
  );
}

/** Nobody can open this page who has not accepted them. */
const Accepted = ({ to, what }: { to: string; what: string }) => (
  <span className="flex flex-wrap items-center gap-2">
    <Chip tone="good">Accepted</Chip>
    <Link to={to} className="text-accent hover:underline">
      Read<span className="sr-only"> {what}</span>
    </Link>
  </span>
);
