import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { sendSignInCode } from '../../commands/sign-in-code.server.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { TextField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { Notice } from '../../components/page/notice.tsx';
import { Entrance } from '../../components/shell/entrance.tsx';
import { MailboxHint } from '../../components/shell/mailbox-hint.tsx';
import { actPublicly } from '../../http/public-form.server.ts';
import { findSession } from '../../http/session.server.ts';
import { giveClientToken } from '../../http/sign-in-client.server.ts';
import { paths, safeNext } from '../../paths.ts';

const schema = z.object({
  email: z.email({
    error: (issue) =>
      issue.input === undefined ? 'Enter your email address' : 'Enter an email address, such as name@example.com',
  }),
  next: z.string().optional(),
});

const PROBLEMS = {
  external: 'Signing in with your identity provider did not work. Try again, or sign in with a code.',
  unknown: 'No account has the email of your identity provider. Ask the manager to invite you.',
} as const;

export const handle = { title: 'Sign in' };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const search = new URL(request.url).searchParams;
  const next = search.get('next');
  if (await findSession(request, context)) throw redirect(safeNext(next));
  giveClientToken(request, context);
  const problem = search.get('problem');
  return {
    next,
    email: search.get('email'),
    problem: problem !== null && Object.hasOwn(PROBLEMS, problem) ? PROBLEMS[problem as keyof typeof PROBLEMS] : null,
    provider: context.identityProvider?.name ?? null,
    hasMailbox: context.environment.nodeEnv !== 'production',
  };
}

export function action(args: ActionFunctionArgs) {
  return actPublicly(args, schema, async ({ email, next }) => {
    await sendSignInCode(args.request, args.context, email);
    return redirect(paths.loginCode({ email, next: next ? safeNext(next) : undefined }));
  });
}

export default function Login() {
  const { next, email, problem, provider, hasMailbox } = useLoaderData<typeof loader>();
  const [form, fields] = useShortForm<z.input<typeof schema>>('login', {
    lastResult: useActionData<typeof action>()?.lastResult,
    defaultValue: { email: email ?? '' },
    required: ['email'],
  });
  return (
    <Entrance title="Sign in" lead="We’ll email you a sign-in code.">
      {problem ? <Notice tone="danger">{problem}</Notice> : null}
      <ScreenForm form={form}>
        <input type="hidden" name="next" value={next ?? ''} />
        <TextField
          field={fields.email}
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoFocus
        />
        <FormActions submit="Send code" submitting="Sending" />
      </ScreenForm>
      {provider ? (
        <div className="mt-5 border-t border-line pt-5">
          <LinkButton external to={paths.externalSignIn({ next: next ?? undefined })} className="w-full">
            Continue with {provider}
          </LinkButton>
        </div>
      ) : null}
      {hasMailbox ? <MailboxHint /> : null}
    </Entrance>
  );
}
