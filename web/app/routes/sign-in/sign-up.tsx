import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { findInvitation, signUp } from '@tapeline/db/operations/identity/sign-up.ts';
import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import { userDetailsSchema } from '@tapeline/domain/identity/user-details.schema.ts';
import { z } from 'zod';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { Entrance } from '../../components/shell/entrance.tsx';
import { actPublicly } from '../../http/public-form.server.ts';
import { heldOwnershipToken, keepOwnershipToken, originOf, startSession } from '../../http/session.server.ts';
import { logSignIn } from '../../http/sign-in-log.server.ts';
import { paths, safeNext } from '../../paths.ts';
import { DETAILS_LABELS, DetailsFields } from './details-fields.tsx';

const schema = userDetailsSchema.extend({ next: z.string().optional() });

export const handle = { title: 'Sign up' };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const next = new URL(request.url).searchParams.get('next');
  const ownershipToken = heldOwnershipToken(request, context);
  const invited = ownershipToken ? await findInvitation(context.store, { ownershipToken, now: new Date() }) : null;
  return { invited, next };
}

export function action(args: ActionFunctionArgs) {
  const { request, context } = args;
  return actPublicly(args, schema, async ({ next, ...details }) => {
    try {
      const ownershipToken = heldOwnershipToken(request, context);
      if (!ownershipToken) throw new Refusal('unauthorized');
      const command = { ownershipToken, details, now: new Date(), ...originOf(request, context) };
      await startSession(context, await logSignIn(context, 'sign-up', () => signUp(context.store, command)));
    } catch (error) {
      if (!isRefusal(error) || error.code !== 'unauthorized') throw error;
      throw new Refusal('unauthorized', 'Too much time has passed since you entered the code. Request a new one.');
    }
    keepOwnershipToken(context, null);
    return redirect(safeNext(next));
  });
}

export default function SignUp() {
  const { invited, next } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  const [form, fields] = useShortForm<z.input<typeof schema>>('sign-up', {
    lastResult,
    defaultValue: invited ?? {},
    required: ['firstName', 'lastName'],
  });
  if (!invited && !lastResult) {
    return (
      <Entrance
        title="Confirm your email again"
        lead="Sign-up has to be completed within 5 minutes of entering the code."
      >
        <NewCode next={next} />
      </Entrance>
    );
  }
  return (
    <Entrance
      title="Sign up"
      lead={
        invited ? (
          <>
            You have been invited as <b className="font-medium break-words text-ink">{invited.email}</b>. Check your
            details.
          </>
        ) : (
          'Check your details.'
        )
      }
    >
      <ScreenForm form={form} labels={DETAILS_LABELS}>
        <input type="hidden" name="next" value={next ?? ''} />
        <DetailsFields fields={fields} />
        <FormActions submit="Sign up" submitting="Signing up">
          {invited ? null : <NewCode next={next} />}
        </FormActions>
      </ScreenForm>
    </Entrance>
  );
}

const NewCode = ({ next }: { next: string | null }) => (
  <Link to={paths.login({ next: next ?? undefined })} className="text-sm text-accent hover:underline">
    Request a new code
  </Link>
);
