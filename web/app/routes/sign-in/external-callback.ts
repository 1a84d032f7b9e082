import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { finishExternalSignIn } from '../../commands/sign-in.server.ts';
import { startSession } from '../../http/session.server.ts';
import { paths, safeNext } from '../../paths.ts';

/** Where the identity provider sends a browser back to, with a code or an error. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  try {
    const { signedIn, next } = await finishExternalSignIn(context, request);
    await startSession(context, signedIn);
    return redirect(safeNext(next));
  } catch (error) {
    if (!isRefusal(error)) context.log.error({ err: error }, 'the identity provider does not respond');
    const hasNoAccount = isRefusal(error) && error.reasons['externalIdentity.email']?.code === 'noAccount';
    return redirect(paths.login({ problem: hasNoAccount ? 'unknown' : 'external' }));
  }
}
