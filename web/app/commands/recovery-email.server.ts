import { confirmRecoveryEmail, removeRecoveryEmail } from '@tapeline/db/operations/identity/recovery-email.ts';
import type { Screen } from '../http/screen.server.ts';
import { originOf } from '../http/session.server.ts';
import { clientTokenOf, limitFactorOf } from '../http/sign-in-client.server.ts';
import { sendSecret } from './secret-mails.server.ts';

const NOTICE_LIFETIME_MS = 7 * 86_400_000;

/** Tells the owner at the email of the account, in case someone else has made the change. */
async function notifyOwner({ actor, context }: Screen, what: string): Promise<void> {
  const text = [
    `Hello ${actor.firstName},`,
    '',
    what,
    '',
    'If this was not you, sign in, remove the recovery email on your account page and sign out everywhere.',
    '',
    context.environment.publicUrl,
    '',
  ].join('\n');
  const mail = { to: actor.email, subject: 'Your recovery email has changed', text };
  await sendSecret(context, mail, new Date(Date.now() + NOTICE_LIFETIME_MS));
}

/** @throws Refusal as `confirmRecoveryEmail` */
export async function confirmRecovery(screen: Screen, entry: { email: string; code: string }): Promise<void> {
  const { actor, context, request } = screen;
  await confirmRecoveryEmail(context.store, actor, {
    ...entry,
    clientToken: clientTokenOf(request, context),
    address: context.clientAddress,
    now: new Date(),
    limitFactor: limitFactorOf(context.environment),
    origin: originOf(request, context),
  });
  await notifyOwner(
    screen,
    `${entry.email} is now the recovery email of your Tapeline account. Codes sent to it can sign in.`,
  );
}

export async function removeRecovery(screen: Screen): Promise<void> {
  const { actor, context, request } = screen;
  await removeRecoveryEmail(context.store, actor, originOf(request, context));
  await notifyOwner(screen, 'The recovery email of your Tapeline account was removed.');
}
