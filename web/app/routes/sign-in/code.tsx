import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData, useRevalidator } from '@remix-run/react';
import { CODE_PATTERN } from '@tapeline/domain/identity/sign-in.schema.ts';
import { useEffect } from 'react';
import { z } from 'zod';
import { signInByCode } from '../../commands/sign-in.server.ts';
import { isCodeDelayed, sendSignInCode } from '../../commands/sign-in-code.server.ts';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { TextField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { Notice } from '../../components/page/notice.tsx';
import { Entrance } from '../../components/shell/entrance.tsx';
import { MailboxHint } from '../../components/shell/mailbox-hint.tsx';
import { actPublicly } from '../../http/public-form.server.ts';
import { keepOwnershipToken, startSession } from '../../http/session.server.ts';
import { paths, safeNext } from '../../paths.ts';

const NEW_CODE = 'new-code';
const newCodeSchema = z.object({ email: z.email(), next: z.string().optional() });
const codeSchema = newCodeSchema.extend({
  code: z
    .string({ error: 'Enter the code from the email' })
    .transform((code) => code.replaceAll(/\s/g, ''))
    .refine((code) => CODE_PATTERN.test(code), 'Enter the 6-digit code'),
});

export const handle = { title: 'Enter the code' };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const search = new URL(request.url).searchParams;
  const email = search.get('email');
  if (!email) throw redirect(paths.login());
  return {
    email,
    next: search.get('next'),
    isSentAgain: search.get('sent') === 'again',
    isDelayed: await isCodeDelayed(request, context, email),
    hasMailbox: context.environment.nodeEnv !== 'production',
  };
}

type Entry = z.output<typeof codeSchema> | z.output<typeof newCodeSchema>;

export function action(args: ActionFunctionArgs) {
  const schemaOf = (form: FormData): z.ZodType<Entry> => (form.get('intent') === NEW_CODE ? newCodeSchema : codeSchema);
  return actPublicly(args, schemaOf, async (entry) => {
    const { email, next } = entry;
    if (!('code' in entry)) {
      await sendSignInCode(args.request, args.context, email);
      return redirect(paths.loginCode({ email, next: next ? safeNext(next) : undefined, sent: 'again' }));
    }
    const entered = await signInByCode(args.context, args.request, { email, code: entry.code });
    if ('ownershipToken' in entered) {
      keepOwnershipToken(args.context, entered.ownershipToken);
      return redirect(paths.signUp({ next: next ? safeNext(next) : undefined }));
    }
    await startSession(args.context, entered);
    return redirect(safeNext(next));
  });
}

export default function LoginCode() {
  const { email, next, isSentAgain, isDelayed, hasMailbox } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  useDeliveryChecks();
  const [form, fields] = useShortForm<z.input<typeof codeSchema>>('login-code', { lastResult, required: ['code'] });
  return (
    <Entrance
      title="Enter the code"
      lead={
        <>
          If <b className="font-medium break-words text-ink">{email}</b> has an account, we have sent a code to it. The
          code is valid for 10 minutes, in this browser only.
        </>
      }
    >
      {isDelayed ? (
        <Notice tone="warning">
          We could not send the code yet, because the mail server does not answer. We keep trying while the code is
          valid. This request does not count against the limit.
        </Notice>
      ) : null}
      {isSentAgain && !isDelayed && !lastResult ? (
        <Notice tone="good">We sent a new code. Earlier codes remain valid.</Notice>
      ) : null}
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
        <FormActions submit="Sign in" submitting="Signing in" />
      </ScreenForm>
      <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
        <ActionForm intent={NEW_CODE} values={{ email, next: next ?? '' }}>
          Send a new code
        </ActionForm>
        <Link to={paths.login({ next: next ?? undefined, email })} className="text-sm text-accent hover:underline">
          Use a different email
        </Link>
      </div>
      {hasMailbox ? <MailboxHint /> : null}
    </Entrance>
  );
}

/** The code is sent while the page loads, so whether that failed is known a moment later. */
const CHECKED_AFTER_MS = [2_000, 12_000, 40_000];

function useDeliveryChecks(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timers = CHECKED_AFTER_MS.map((ms) => setTimeout(revalidate, ms));
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, [revalidate]);
}
