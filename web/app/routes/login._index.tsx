import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { TextField } from '../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../components/forms/screen-form.tsx';
import { Entrance } from '../components/shell/entrance.tsx';
import { MailboxHint } from '../components/shell/mailbox-hint.tsx';
import { paths, safeNext } from '../paths.ts';
import { actPublicly } from '../public-form.server.ts';
import { findSession } from '../session.server.ts';
import { sendSignInCode } from '../sign-in-code.server.ts';

const schema = z.object({
  email: z.email({
    error: (issue) =>
      issue.input === undefined ? 'Write your email address' : 'Write an email address, like name@example.com',
  }),
  next: z.string().optional(),
});

export const meta: MetaFunction = () => [{ title: 'Sign in · Tapeline' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const next = new URL(request.url).searchParams.get('next');
  if (await findSession(request, context)) throw redirect(safeNext(next));
  return { next, hasMailbox: context.environment.nodeEnv !== 'production' };
}

export function action(args: ActionFunctionArgs) {
  return actPublicly(args, schema, async ({ email, next }) => {
    await sendSignInCode(args.context, email);
    return redirect(paths.loginCode({ email, next: next ? safeNext(next) : undefined }));
  });
}

export default function Login() {
  const { next, hasMailbox } = useLoaderData<typeof loader>();
  const [form, fields] = useScreenForm('login', schema, { lastResult: useActionData<typeof action>()?.lastResult });
  return (
    <Entrance title="Sign in" lead="We send a code of six digits to your email address.">
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
        <FormActions submit="Send me a code" submitting="Sending" />
      </ScreenForm>
      {hasMailbox ? <MailboxHint /> : null}
    </Entrance>
  );
}
