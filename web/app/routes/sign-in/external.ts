import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { beginExternalSignIn } from '../../commands/sign-in.server.ts';
import { refusalAnswer } from '../../http/errors.server.ts';
import { paths, safeNext } from '../../paths.ts';

/** Leads to the identity provider, which returns to the callback. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const next = safeNext(new URL(request.url).searchParams.get('next'));
  try {
    return redirect(await beginExternalSignIn(context, next));
  } catch (error) {
    if (isRefusal(error)) throw refusalAnswer(context, error);
    context.log.error({ err: error }, 'the identity provider does not respond');
    return redirect(paths.login({ problem: 'external' }));
  }
}
