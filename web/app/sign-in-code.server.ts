import { requestSignInCode } from '@tapeline/db/operations/identity/sign-in-codes.ts';
import type { RequestContext } from './context.ts';

export const CODE_MINUTES = 10;

/** The code stands on a line of its own, so that people and programs find it at once. */
export function signInMail(firstName: string, code: string, publicUrl: string): { subject: string; text: string } {
  return {
    subject: 'Your sign-in code',
    text: [
      `Hello ${firstName},`,
      '',
      'your code to sign in to Tapeline is',
      '',
      code,
      '',
      `It is good for ${CODE_MINUTES} minutes, and once. If you did not ask for it, do nothing: without it nobody gets in.`,
      '',
      publicUrl,
      '',
    ].join('\n'),
  };
}

/**
 * Sends a code to the email if somebody has it. Answers the same, and as soon, in either case: the mail goes out on its own.
 * @throws Refusal tooMany
 */
export async function sendSignInCode(context: RequestContext, email: string): Promise<void> {
  const { store, mailer, environment, log } = context;
  const toSend = await requestSignInCode(store, { email, address: context.clientAddress, now: new Date() });
  if (!toSend) return;
  mailer
    .send({ to: toSend.email, ...signInMail(toSend.firstName, toSend.code, environment.publicUrl) })
    .catch((error: unknown) => log.error({ err: error }, 'the sign-in code could not be sent'));
}
