import { confirmRecoveryEmail, removeRecoveryEmail } from '@tapeline/db/operations/identity/recovery-email.ts';
import type { Screen } from '../http/screen.server.ts';
import { originOf } from '../http/session.server.ts';
import { clientTokenOf, limitFactorOf } from '../http/sign-in-client.server.ts';

/** Tells the owner at the email of the account, in case someone else has made the change. */
function notifyOwner({ actor, context }: Screen, what: string): void {
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
  context.mailer
    .send({ to: actor.email, subject: 'Your recovery email has changed', text })
    .catch((error: unknown) => context.log.error({ err: error }, 'the notice could not be sent'));
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
  notifyOwner(
    screen,
    `${entry.email} is now the recovery email of your Tapeline account. Codes sent to it can sign in.`,
  );
}

export async function removeRecovery(screen: Screen): Promise<void> {
  const { actor, context, request } = screen;
  await removeRecoveryEmail(context.store, actor, originOf(request, context));
  notifyOwner(screen, 'The recovery email of your Tapeline account was removed.');
}
