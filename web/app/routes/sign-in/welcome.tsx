import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { acceptPrivacyAndTerms, confirmUserDetails } from '@tapeline/db/operations/identity/profile.ts';
import { getUser } from '@tapeline/db/operations/users/users.ts';
import { userDetailsSchema } from '@tapeline/domain/identity/user-details.schema.ts';
import { z } from 'zod';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { CheckboxField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { Entrance } from '../../components/shell/entrance.tsx';
import { actOnWelcome, intent, readWelcome, type Screen } from '../../http/screen.server.ts';
import { originOf } from '../../http/session.server.ts';
import { paths, safeNext } from '../../paths.ts';
import { DETAILS_LABELS, DetailsFields } from './details-fields.tsx';

const ACCEPT = 'Accept the privacy notice and the terms of use to continue';
const acceptSchema = z.object({
  accepted: z.boolean(ACCEPT).refine((accepted) => accepted, ACCEPT),
});

export const handle = { title: 'Welcome' };

/** The next of the steps that remain before anything else opens. */
export const loader = readWelcome(async ({ actor, db, url }) => {
  const [step] = actor.onboarding;
  if (!step) throw redirect(safeNext(url.searchParams.get('next')));
  const { firstName, lastName, phoneNumber } = await db((session) => getUser(session, actor.userId));
  return { step, steps: actor.onboarding.length, email: actor.email, details: { firstName, lastName, phoneNumber } };
});

/** Shows the next step, or the page that was asked for. */
const goOn = ({ url }: Screen) => redirect(url.pathname + url.search);

export const action = actOnWelcome({
  accept: intent({
    permission: null,
    schema: acceptSchema,
    async run(_form, screen) {
      await acceptPrivacyAndTerms(screen.context.store, screen.actor, originOf(screen.request, screen.context));
      return goOn(screen);
    },
  }),
  confirm: intent({
    permission: null,
    schema: userDetailsSchema,
    async run(form, screen) {
      const details = { ...form, phoneNumber: form.phoneNumber ?? null };
      const origin = originOf(screen.request, screen.context);
      await confirmUserDetails(screen.context.store, screen.actor, { details, origin });
      return goOn(screen);
    },
  }),
});

export default function Welcome() {
  const { step } = useLoaderData<typeof loader>();
  return step === 'privacyAndTerms' ? <PrivacyAndTerms /> : <Details />;
}

function PrivacyAndTerms() {
  const answer = useActionData<typeof action>();
  const [form, fields] = useShortForm<z.input<typeof acceptSchema>>('accept', {
    lastResult: answer?.intent === 'accept' ? answer.lastResult : null,
    required: ['accepted'],
  });
  return (
    <Entrance title="Privacy and terms" lead="Read both before you use Tapeline. They open in a new tab.">
      <ul className="mb-6 flex flex-col gap-2 text-sm">
        <DocumentLink to={paths.privacy()} title="Privacy notice" about="What we store about you, and why" />
        <DocumentLink to={paths.terms()} title="Terms of use" about="What you can expect, and what we expect" />
      </ul>
      <ScreenForm form={form} intent="accept" labels={{ accepted: 'Privacy and terms' }}>
        <CheckboxField field={fields.accepted} label="I have read the privacy notice and accept the terms of use" />
        <FormActions submit="Continue" submitting="Saving" />
      </ScreenForm>
      <SignOut />
    </Entrance>
  );
}

const DocumentLink = ({ to, title, about }: { to: string; title: string; about: string }) => (
  <li className="rounded-lg border border-line bg-paper px-3.5 py-2.5">
    <Link to={to} target="_blank" rel="noreferrer" className="font-medium text-accent hover:underline">
      {title}
    </Link>
    <span className="block text-xs text-ink-3">{about}</span>
  </li>
);

function Details() {
  const { email, details } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useShortForm<z.input<typeof userDetailsSchema>>('confirm', {
    lastResult: answer?.intent === 'confirm' ? answer.lastResult : null,
    defaultValue: details,
    required: ['firstName', 'lastName'],
  });
  return (
    <Entrance
      title="Confirm your details"
      lead={
        <>
          You are signed in as <b className="font-medium break-words text-ink">{email}</b>. Correct what is wrong.
        </>
      }
    >
      <ScreenForm form={form} intent="confirm" labels={DETAILS_LABELS}>
        <DetailsFields fields={fields} />
        <FormActions submit="Confirm" submitting="Saving" />
      </ScreenForm>
      <SignOut />
    </Entrance>
  );
}

const SignOut = () => (
  <div className="mt-6 border-t border-line pt-4">
    <ActionForm intent="sign-out" action={paths.signOut()}>
      Sign out
    </ActionForm>
  </div>
);
