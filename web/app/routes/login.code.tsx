import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { TextField } from '../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../components/forms/screen-form.tsx';
import { Entrance } from '../components/shell/entrance.tsx';
import { MailboxHint } from '../components/shell/mailbox-hint.tsx';
import { paths, safeNext } from '../paths.ts';
import { actPublicly } from '../public-form.server.ts';
import { startSession } from '../session.server.ts';
import { signInByCode } from '../sign-in.server.ts';

const schema = z.object({
  code: z
    .string({ error: 'Write the code from the mail' })
    .transform((code) => code.replaceAll(/\s/g, ''))
    .refine((code) => /^\d{6}$/.test(code), 'The code has six digits'),
  email: z.email(),
  next: z.string().optional(),
});

export const meta: MetaFunction = () => [{ title: 'Enter the code · Tapeline' }];

export function loader({ request, context }: LoaderFunctionArgs) {
  const search = new URL(request.url).searchParams;
  const email = search.get('email');
  if (!email) throw redirect(paths.login());
  return { email, next: search.get('next'), hasMailbox: context.environment.nodeEnv !== 'production' };
}

export function action(args: ActionFunctionArgs) {
  return actPublicly(args, schema, async ({ email, code, next }) => {
    const signedIn = await signInByCode(args.context, args.request, { email, code });
    await startSession(args.context, signedIn);
    return redirect(safeNext(next));
  });
}

export default function LoginCode() {
  const { email, next, hasMailbox } = useLoaderData<typeof loader>();
  const [form, fields] = useScreenForm('login-code', schema, {
    lastResult: useActionData<typeof action>()?.lastResult,
  });
  return (
    <Entrance
      title="Enter the code"
      lead={
        <>
          If <b className="font-medium text-ink">{email}</b> is known here, a code is on its way. It is good for ten
          minutes.
        </>
      }
    >
      <ScreenForm form={form}>
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="next" value={next ?? ''} />
        <TextField
          field={fields.code}
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          inputClassName="font-mono tracking-[0.2em]"
          autoFocus
        />
        <FormActions submit="Sign in" submitting="Signing in">
          <Link to={paths.login({ next: next ?? undefined })} className="text-sm text-accent hover:underline">
            Another email, or a new code
          </Link>
        </FormActions>
      </ScreenForm>
      {hasMailbox ? <MailboxHint /> : null}
    </Entrance>
  );
}
