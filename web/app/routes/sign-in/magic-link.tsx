import {
  type ActionFunctionArgs,
  data,
  type HeadersFunction,
  type LoaderFunctionArgs,
  redirect,
} from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { findMagicLink } from '@tapeline/db/operations/identity/magic-links.ts';
import { z } from 'zod';
import { signInByLink } from '../../commands/sign-in.server.ts';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { Entrance } from '../../components/shell/entrance.tsx';
import { actPublicly } from '../../http/public-form.server.ts';
import { startSession } from '../../http/session.server.ts';
import { paths } from '../../paths.ts';

const schema = z.object({ token: z.string().max(200) });

export const handle = { title: 'Sign in' };
// The address contains the token. It is not sent to other sites: the referrer policy of every answer is same-origin.
export const headers: HeadersFunction = () => ({ 'Cache-Control': 'no-store' });

/** Opening the link uses nothing up, because mail scanners open links too. Only the button signs in. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const magicToken = new URL(request.url).searchParams.get('token') ?? '';
  const user = await findMagicLink(context.store, { magicToken, now: new Date() });
  return data({ user, token: user ? magicToken : '' }, { status: user ? 200 : 404 });
}

export function action(args: ActionFunctionArgs) {
  return actPublicly(args, schema, async ({ token }) => {
    await startSession(args.context, await signInByLink(args.context, args.request, token));
    return redirect(paths.home());
  });
}

export default function MagicLink() {
  const { user, token } = useLoaderData<typeof loader>();
  const [form] = useShortForm('magic-link', { lastResult: useActionData<typeof action>()?.lastResult });
  if (!user) {
    return (
      <Entrance
        title="This link is no longer valid"
        lead="A sign-in link works once, for 7 days, and a newer link replaces it."
      >
        <Link to={paths.login()} className="text-sm text-accent hover:underline">
          Sign in with a code instead
        </Link>
      </Entrance>
    );
  }
  return (
    <Entrance
      title={`Welcome, ${user.firstName}`}
      lead={
        <>
          Sign in to Tapeline as <b className="font-medium break-words text-ink">{user.email}</b>. This link works once.
        </>
      }
    >
      <ScreenForm form={form}>
        <input type="hidden" name="token" value={token} />
        <FormActions submit="Sign in" submitting="Signing in" />
      </ScreenForm>
    </Entrance>
  );
}
