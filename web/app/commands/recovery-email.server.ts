import { confirmRecoveryEmail } from '@tapeline/db/operations/identity/recovery-email.ts';
import type { Screen } from '../http/screen.server.ts';
import { originOf } from '../http/session.server.ts';
import { clientTokenOf, limitFactorOf } from '../http/sign-in-client.server.ts';

/** @throws Refusal as `confirmRecoveryEmail` */
export function confirmRecovery({ actor, context, request }: Screen, entry: { email: string; code: string }) {
  return confirmRecoveryEmail(context.store, actor, {
    ...entry,
    clientToken: clientTokenOf(request, context),
    address: context.clientAddress,
    now: new Date(),
    limitFactor: limitFactorOf(context.environment),
    origin: originOf(request, context),
  });
}
