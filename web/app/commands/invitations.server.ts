import { type CreatedMagicLink, createMagicLink } from '@tapeline/db/operations/identity/magic-links.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { RequestContext } from '../http/context.ts';
import { limitFactorOf } from '../http/sign-in-client.server.ts';
import { paths } from '../paths.ts';
import { sendSecret } from './secret-mails.server.ts';

/** The link is on its own line, and always leads to the configured public address, whatever host was requested. */
function magicLinkMail(link: CreatedMagicLink, actor: UserActor, publicUrl: string): { subject: string; text: string } {
  const sender = `${actor.firstName} ${actor.lastName}`;
  const tenant = actor.assocTitle ? ` (${actor.assocTitle})` : '';
  const invitedFor = link.organization ? `, to act for ${link.organization}` : '';
  return {
    subject: link.isInvitation ? 'Your invitation to Tapeline' : 'Your sign-in link',
    text: [
      `Hello ${link.firstName},`,
      '',
      link.isInvitation
        ? `${sender}${tenant} has invited you to Tapeline${invitedFor}. Open this link to sign in for the first time:`
        : `${sender}${tenant} has sent you a link to sign in to Tapeline:`,
      '',
      publicUrl + paths.magicLink({ token: link.token }),
      '',
      'It works once, and is valid for 7 days. Do not forward it: anyone who opens it can sign in as you.',
      'If you did not expect this email, you can ignore it.',
      '',
    ].join('\n'),
  };
}

/**
 * Emails a user a link that signs them in once within 7 days: the invitation of a new user, or a way in for one who
 * cannot receive codes.
 * @throws Refusal as `createMagicLink`
 */
export async function sendInvitation(
  context: RequestContext,
  actor: UserActor,
  command: { userId: string; resend?: boolean | undefined },
): Promise<void> {
  const { store, environment, log } = context;
  const limitFactor = limitFactorOf(environment);
  const link = await createMagicLink(store, actor, { ...command, now: new Date(), limitFactor });
  const mail = { to: link.email, ...magicLinkMail(link, actor, environment.publicUrl) };
  await sendSecret(context, mail, link.expiresAt);
  log.info({ event: 'magic link sent', userId: command.userId, by: actor.userId }, 'magic link sent');
}
