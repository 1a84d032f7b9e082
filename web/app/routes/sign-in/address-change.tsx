import {
  type ActionFunctionArgs,
  data,
  type HeadersFunction,
  type LoaderFunctionArgs,
  redirect,
} from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import {
  type AddressLink,
  confirmEmail,
  findAddressChange,
  stopAddressChange,
} from '@tapeline/db/operations/identity/address-changes.ts';
import { z } from 'zod';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { Entrance } from '../../components/shell/entrance.tsx';
import { actPublicly } from '../../http/public-form.server.ts';
import { originOf } from '../../http/session.server.ts';
import { logSessionEvent } from '../../http/sign-in-log.server.ts';
import { paths } from '../../paths.ts';

const LINKS = ['confirm', 'stop'] as const satisfies readonly AddressLink[];
const schema = z.object({ link: z.enum(LINKS), token: z.string().max(200) });

export const handle = { title: 'Change of address' };
// The address contains the token. It is not sent to other sites: the referrer policy of every answer is same-origin.
export const headers: HeadersFunction = () => ({ 'Cache-Control': 'no-store' });

/** Opening the link changes nothing, because mail scanners open links too. Only the button does. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const search = new URL(request.url).searchParams;
  const done = LINKS.find((name) => name === search.get('done')) ?? null;
  if (done) return data({ done, link: null, token: '', change: null });
  const link = LINKS.find((name) => search.has(name)) ?? 'confirm';
  const token = search.get(link) ?? '';
  const { appSecret } = context.environment;
  const change = await findAddressChange(context.store, { appSecret, link, token, now: new Date() });
  return data({ done, link, token: change ? token : '', change }, { status: change ? 200 : 404 });
}

export function action(args: ActionFunctionArgs) {
  const { context, request } = args;
  return actPublicly(args, schema, async ({ link, token }) => {
    const { appSecret } = context.environment;
    const command = { appSecret, token, now: new Date(), origin: originOf(request, context) };
    const userId = await (link === 'confirm' ? confirmEmail : stopAddressChange)(context.store, command);
    logSessionEvent(context, link === 'confirm' ? 'email confirmed' : 'change of address stopped', { userId });
    return redirect(paths.addressChange({ done: link }));
  });
}

const DONE = {
  confirm: { title: 'Your email has changed', lead: 'Sign in with the new address from now on.' },
  stop: {
    title: 'The change was stopped',
    lead: 'Your account has its earlier addresses again. If the change had taken effect, everyone was signed out. Tell your administrator if you do not know who made it.',
  },
};

export default function AddressChange() {
  const { done, link, token, change } = useLoaderData<typeof loader>();
  const [form] = useShortForm('address-change', { lastResult: useActionData<typeof action>()?.lastResult });
  if (done) {
    return (
      <Entrance {...DONE[done]}>
        <Link to={paths.login()} className="text-sm text-accent hover:underline">
          Sign in
        </Link>
      </Entrance>
    );
  }
  if (!change) {
    return (
      <Entrance
        title="This link is no longer valid"
        lead="The change was confirmed, stopped or replaced by another, or the time for it is over."
      >
        <Link to={paths.login()} className="text-sm text-accent hover:underline">
          Sign in
        </Link>
      </Entrance>
    );
  }
  const what = change.kind === 'email' ? 'email' : 'recovery email';
  const addresses = (
    <>
      <b className="font-medium break-words text-ink">{change.from ?? 'none'}</b> to{' '}
      <b className="font-medium break-words text-ink">{change.next ?? 'none'}</b>
    </>
  );
  return link === 'confirm' ? (
    <Entrance
      title="Confirm your new email"
      lead={
        <>
          {change.by} asked to change the email of your Tapeline account from {addresses}.
        </>
      }
    >
      <LinkForm form={form} link="confirm" token={token} submit="Confirm" submitting="Confirming" />
    </Entrance>
  ) : (
    <Entrance
      title="Stop this change?"
      lead={
        <>
          {change.by} {change.isConfirmed ? 'changed' : 'asked to change'} the {what} of your Tapeline account from{' '}
          {addresses}. Stopping it restores the earlier address
          {change.isConfirmed ? ' and signs everyone out of the account' : ''}.
        </>
      }
    >
      <LinkForm form={form} link="stop" token={token} submit="Stop the change" submitting="Stopping" />
    </Entrance>
  );
}

function LinkForm({
  form,
  link,
  token,
  submit,
  submitting,
}: {
  form: ReturnType<typeof useShortForm>[0];
  link: AddressLink;
  token: string;
  submit: string;
  submitting: string;
}) {
  return (
    <ScreenForm form={form}>
      <input type="hidden" name="link" value={link} />
      <input type="hidden" name="token" value={token} />
      <FormActions submit={submit} submitting={submitting} />
    </ScreenForm>
  );
}
