import { setTimeout as sleep } from 'node:timers/promises';
import { requestRecoveryCode } from '@tapeline/db/operations/identity/recovery-email.ts';
import { isMailDelayed, sealMail } from '@tapeline/db/operations/identity/secret-mails.ts';
import {
  type CodeRequest,
  normaliseEmail,
  type RequestedCode,
  requestSignInCode,
} from '@tapeline/db/operations/identity/sign-in-codes.ts';
import type { RequestContext } from '../http/context.ts';
import { clientTokenOf, giveClientToken, limitFactorOf } from '../http/sign-in-client.server.ts';
import { sendQueued } from './secret-mails.server.ts';

export const CODE_MINUTES = 10;

/** The code is on its own line, so that people and programs find it easily. */
export function signInMail(firstName: string, code: string, publicUrl: string): { subject: string; text: string } {
  return {
    subject: 'Your sign-in code',
    text: [
      `Hello ${firstName},`,
      '',
      'Your code to sign in to Tapeline is',
      '',
      code,
      '',
      `It is valid for ${CODE_MINUTES} minutes and works once, in the browser where you asked for it.`,
      'If you did not ask for it, you can ignore this email: nobody can sign in without the code.',
      '',
      publicUrl,
      '',
    ].join('\n'),
  };
}

interface Mail {
  subject: string;
  text: string;
}

/**
 * Requests a code for this browser or client, queues it, and sends it in the background, so that the time of the answer
 * does not tell whether there was anything to send. A code that cannot be sent is tried again while it is valid, and
 * does not count against the limits.
 */
export async function sendCode(
  request: Request,
  context: RequestContext,
  email: string,
  requestCode: (code: CodeRequest) => Promise<RequestedCode>,
  mailOf: (firstName: string, code: string) => Mail,
): Promise<void> {
  const { environment } = context;
  const { mailId, slowDownMs } = await requestCode({
    email,
    clientToken: giveClientToken(request, context),
    address: context.clientAddress,
    now: new Date(),
    limitFactor: limitFactorOf(environment),
    sealedMailOf: (code) => sealMail(environment.appSecret, { to: code.email, ...mailOf(code.firstName, code.code) }),
  });
  if (slowDownMs > 0) await sleep(slowDownMs);
  if (mailId) sendQueued(context, mailId);
}

/** Whether the code that this browser requested waits because the mail server does not take it. */
export async function isCodeDelayed(request: Request, context: RequestContext, email: string): Promise<boolean> {
  const clientToken = clientTokenOf(request, context);
  return clientToken !== null && isMailDelayed(context.store, { clientToken, email: normaliseEmail(email) });
}

/**
 * Sends a code to the email if it belongs to an account. The code works only in this browser or client. An unknown
 * email gets the same answer in the same time, because the mail is sent in the background.
 * @throws Refusal tooMany
 */
export function sendSignInCode(request: Request, context: RequestContext, email: string): Promise<void> {
  return sendCode(
    request,
    context,
    email,
    (code) => requestSignInCode(context.store, code),
    (firstName, code) => signInMail(firstName, code, context.environment.publicUrl),
  );
}

/**
 * Sends the code that confirms an email as the actor's recovery email.
 * @throws Refusal badRequest for the email of the account itself; tooMany
 */
export function sendRecoveryCode(
  request: Request,
  context: RequestContext,
  command: { userId: string; email: string },
): Promise<void> {
  return sendCode(
    request,
    context,
    command.email,
    (code) => requestRecoveryCode(context.store, { ...code, userId: command.userId }),
    (firstName, code) => ({
      subject: 'Confirm your recovery email',
      text: [
        `Hello ${firstName},`,
        '',
        'Enter this code on your account page to make this address the recovery email of your Tapeline account:',
        '',
        code,
        '',
        `It is valid for ${CODE_MINUTES} minutes. Whoever receives emails at this address can then sign in to the account.`,
        'If you did not ask for it, you can ignore this email.',
        '',
      ].join('\n'),
    }),
  );
}
