import {
  queueSecretMail,
  type SecretMailContent,
  sealMail,
  sendSecretMail,
} from '@tapeline/db/operations/identity/secret-mails.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { isRejectedForGood } from '@tapeline/mail/mailer.ts';
import type { RequestContext } from '../http/context.ts';

type Context = Pick<RequestContext, 'store' | 'mailer' | 'environment' | 'log'>;

/**
 * Sends a queued email in the background. If that fails, the workflow that sends emails tries again until it expires.
 */
export function sendQueued({ store, mailer, environment, log }: Context, id: string): void {
  const sender = {
    send: mailer.send,
    probe: mailer.probe,
    isFinal: isRejectedForGood,
    appSecret: environment.appSecret,
    publicUrl: environment.publicUrl,
  };
  sendSecretMail(store, sender, { id }).then(
    (sent) => {
      if (sent?.error) log.error({ err: sent.error, mailId: id }, 'an email to sign in could not be sent, and waits');
    },
    (err: unknown) => log.error({ err, mailId: id }, 'an email to sign in could not be sent now, and waits'),
  );
}

/** Queues an email to a user, and sends it in the background. */
export async function sendSecret(context: Context, mail: SecretMailContent, expiresAt: Date): Promise<void> {
  const sealed = sealMail(context.environment.appSecret, mail);
  const id = await context.store.as(SYSTEM, (session) =>
    queueSecretMail(session, { email: mail.to, sealed, isWanted: true, expiresAt }),
  );
  sendQueued(context, id);
}
