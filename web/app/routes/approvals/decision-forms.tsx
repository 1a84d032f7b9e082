import { Link, useActionData } from '@remix-run/react';
import { type ReactNode, useState } from 'react';
import { Button, LinkButton } from '../../components/forms/button.tsx';
import { type FieldLine, Fields, labelsOf, Suggestions } from '../../components/forms/described-fields.tsx';
import { IntentForm } from '../../components/forms/intent-form.tsx';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import type { ActionAnswer } from '../../http/screen.server.ts';
import { amountText, issueIntent, termsIntent } from './approval-words.ts';
import type { ApprovalPanel } from './approvals.server.ts';
import type { DetailsOf } from './details.server.ts';

/** The reason of a rejection. The question above it names what is rejected and who is told. */
export function RejectForm({ panel, backTo }: { panel: ApprovalPanel; backTo: string }) {
  const { details, approval } = panel;
  const told = `The users of ${approval.party ?? 'the borrower'} get the reason by email.`;
  if (details.kind === 'draw') {
    const amount = amountText(approval.amounts) ?? '';
    return (
      <IntentForm
        intent="rejectDraw"
        sent={{ drawVersion: details.version }}
        lines={[{ name: 'rejectionMessage', label: 'Reason', hint: told, rows: 2, autoFocus: true }]}
        submit={`Reject ${amount}`}
        submitting="Rejecting"
        tone="danger"
        cancelTo={backTo}
      />
    );
  }
  if (details.kind === 'adjustment' || details.kind === 'waiver') {
    const isWaiver = details.kind === 'waiver';
    return (
      <IntentForm
        intent={isWaiver ? 'declineWaiver' : 'declineAdjustment'}
        lines={[
          {
            name: 'reason',
            label: 'Reason',
            hint: `${details.enteredBy} sees it on the ${isWaiver ? 'covenant' : 'certificate'}.`,
            rows: 2,
            maxLength: 500,
            autoFocus: true,
          },
        ]}
        submit={`Decline the ${isWaiver ? 'waiver' : 'adjustment'}`}
        submitting="Declining"
        tone="danger"
        cancelTo={backTo}
      />
    );
  }
  if (details.kind === 'payoutAccount') {
    return (
      <IntentForm
        intent="declineAccount"
        lines={[
          {
            name: 'reason',
            label: 'Reason',
            hint: `${details.by} gets the reason by email. For example “The contact didn’t know about the change”.`,
            rows: 2,
            maxLength: 500,
            autoFocus: true,
          },
        ]}
        submit="Decline the account"
        submitting="Declining"
        tone="danger"
        cancelTo={backTo}
      />
    );
  }
  if ('mustSubmit' in details || 'changes' in details) {
    const preparedBy = 'changes' in details ? details.by : details.secondPerson?.preparedBy;
    return (
      <IntentForm
        intent={'changes' in details ? termsIntent('return', details.kind) : issueIntent('return', details.kind)}
        sent={{ seenVersion: details.version }}
        lines={[
          {
            name: 'reason',
            label: 'Reason',
            hint: `${preparedBy ?? 'Who prepared it'} gets the reason by email.`,
            rows: 2,
            maxLength: 500,
            autoFocus: true,
          },
        ]}
        submit="Return it"
        submitting="Returning"
        tone="danger"
        cancelTo={backTo}
      />
    );
  }
  return (
    <IntentForm
      intent="declineCorrection"
      lines={[{ name: 'reason', label: 'Reason', hint: told, rows: 2, maxLength: 1000, autoFocus: true }]}
      submit="Decline the correction"
      submitting="Declining"
      tone="danger"
      cancelTo={backTo}
    />
  );
}

const STEP = 'flex flex-col gap-2 border-b border-line px-3 py-2.5 last:border-b-0';
const STEP_TITLE = 'text-sm font-medium';

const NUMBER: FieldLine = {
  name: 'check.number',
  label: 'Number, and where it is from',
  hint: 'For example “+44 20 7946 0018, subscription agreement”',
  list: 'known-numbers',
  maxLength: 250,
};
const CONTACT: FieldLine = { name: 'check.contact', label: 'Contact', list: 'known-contacts', maxLength: 250 };
const CALLED_ON: FieldLine = { name: 'check.calledOn', label: 'Day of the call', type: 'date' };
const READ_BACK: FieldLine = {
  name: 'check.readBack',
  label: 'They read out the last four digits',
  hint: 'Ask for the digits of the new account. Don’t say them first.',
  isChecked: true,
};
const LABELS = labelsOf([NUMBER, CONTACT, CALLED_ON, READ_BACK]);

/** How many of the three steps are filled in. */
function stepsDone(form: HTMLFormElement | null): number {
  if (!form) return 0;
  const sent = new FormData(form);
  const has = (name: string) => String(sent.get(`check.${name}`) ?? '').trim() !== '';
  return [has('number'), has('contact') && has('calledOn'), has('readBack')].filter(Boolean).length;
}

/** The three steps of a call back, which are a part of the decision, so they are asked with it. */
function CallBackForm({
  label,
  contacts,
  today,
  beside,
}: {
  label: string;
  contacts: PayoutContacts;
  today: string;
  beside: ReactNode;
}) {
  const answer = useActionData<ActionAnswer>();
  const [form] = useShortForm<Record<string, unknown>>('confirmPayoutAccount', {
    lastResult: answer?.intent === 'confirmPayoutAccount' ? answer.lastResult : null,
    defaultValue: { check: { calledOn: today } },
    required: ['check.number', 'check.contact', 'check.calledOn'],
  });
  const [done, setDone] = useState(0);
  return (
    <ScreenForm form={form} intent="confirmPayoutAccount" labels={LABELS}>
      <fieldset onInput={(event) => setDone(stepsDone(event.currentTarget.form))}>
        <legend className="mb-1.5 flex w-full items-baseline gap-2 text-sm font-semibold">
          Call back on a number known before
          <span className="ml-auto text-xs font-normal text-ink-2" aria-live="polite">
            {done} of 3 done
          </span>
        </legend>
        <ol className="rounded-lg border border-line">
          <li className={STEP}>
            <span className={STEP_TITLE}>1. Use a number from before the request</span>
            <Fields lines={[NUMBER]} />
            <Suggestions
              id="known-numbers"
              values={contacts.flatMap(({ name, phone }) => (phone ? [`${phone}, ${name}`] : []))}
            />
          </li>
          <li className={STEP}>
            <span className={STEP_TITLE}>2. Speak to a contact you know</span>
            <div className="grid gap-2 sm:grid-cols-2">
              <Fields lines={[CONTACT, CALLED_ON]} />
            </div>
            <Suggestions id="known-contacts" values={contacts.map(({ name }) => name)} />
          </li>
          <li className={STEP}>
            <span className={STEP_TITLE}>3. Compare the account</span>
            <Fields lines={[READ_BACK]} />
          </li>
        </ol>
      </fieldset>
      <FormActions submit={label} submitting="Confirming">
        {beside}
      </FormActions>
    </ScreenForm>
  );
}

type PayoutContacts = DetailsOf<'payoutAccount'>['contacts'];

/** Confirms an account, or accepts the request for one. */
export function ConfirmAccountForm({
  block,
  page,
  contacts,
  today,
  toReject,
}: {
  block: string | null;
  page: string;
  contacts: PayoutContacts;
  today: string;
  /** Where a request is declined; null for an account that is changed or removed on its page. */
  toReject: string | null;
}) {
  const label = toReject ? 'Accept new account' : 'Confirm the account';
  return (
    <>
      {block === null ? (
        <CallBackForm
          label={label}
          contacts={contacts}
          today={today}
          beside={
            toReject ? (
              <LinkButton to={toReject} preventScrollReset>
                Decline
              </LinkButton>
            ) : null
          }
        />
      ) : (
        <Button tone="primary" disabled aria-describedby="approval-block">
          {label}
        </Button>
      )}
      <p className="mt-2 text-xs text-ink-2">
        {block ? <span id="approval-block">{block} </span> : null}
        {toReject ? null : (
          <Link to={page} className="tap-text text-accent hover:underline">
            Change or remove
          </Link>
        )}
      </p>
    </>
  );
}
