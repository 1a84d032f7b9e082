import type { SubmissionResult } from '@conform-to/react';
import { Link } from '@remix-run/react';
import type { z } from 'zod';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { TextField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { Chip } from '../../components/page/chip.tsx';
import { PanelSection } from '../../components/page/section.tsx';
import { paths } from '../../paths.ts';
import type { recoveryCodeSchema, recoverySchema } from './account-forms.ts';

export interface Recovery {
  /** Null if there is none. */
  email: string | null;
  isConfirmed: boolean;
  /** The address that a code was sent to, which is not confirmed yet. */
  pending: string | null;
}

/** A second address that can receive sign-in codes, once its owner has confirmed it with a code. */
export function RecoverySection({
  recovery,
  lastResults,
}: {
  recovery: Recovery;
  lastResults: Readonly<Record<'request' | 'confirm', SubmissionResult<string[]> | null>>;
}) {
  return (
    <PanelSection title="Recovery email" note="signs you in if you cannot receive emails at your own address" padded>
      {recovery.pending ? (
        <ConfirmCode email={recovery.pending} lastResult={lastResults.confirm} />
      ) : (
        <>
          {recovery.email ? <Current email={recovery.email} isConfirmed={recovery.isConfirmed} /> : null}
          <RequestCode hasEmail={recovery.email !== null} lastResult={lastResults.request} />
        </>
      )}
    </PanelSection>
  );
}

const Current = ({ email, isConfirmed }: { email: string; isConfirmed: boolean }) => (
  <div className="mb-4 flex flex-wrap items-center gap-2 border-b border-line pb-4 text-sm">
    <span className="min-w-0 break-words">{email}</span>
    {isConfirmed ? <Chip tone="good">Confirmed</Chip> : <Chip tone="warning">Not confirmed</Chip>}
    <ActionForm intent="removeRecovery" tone="quiet" className="ml-auto">
      Remove
    </ActionForm>
  </div>
);

function RequestCode({ hasEmail, lastResult }: { hasEmail: boolean; lastResult: SubmissionResult<string[]> | null }) {
  const [form, fields] = useShortForm<z.input<typeof recoverySchema>>('recovery', { lastResult, required: ['email'] });
  return (
    <ScreenForm form={form} intent="requestRecovery">
      <TextField
        field={fields.email}
        label={hasEmail ? 'New recovery email' : 'Recovery email'}
        type="email"
        inputMode="email"
        autoComplete="off"
      />
      <FormActions submit="Send code" submitting="Sending" tone="plain" />
    </ScreenForm>
  );
}

function ConfirmCode({ email, lastResult }: { email: string; lastResult: SubmissionResult<string[]> | null }) {
  const [form, fields] = useShortForm<z.input<typeof recoveryCodeSchema>>('recovery-code', {
    lastResult,
    defaultValue: { email },
    required: ['code'],
  });
  return (
    <ScreenForm form={form} intent="confirmRecovery" labels={{ code: 'Code' }}>
      <p className="text-sm text-ink-2">
        We have sent a code to <b className="font-medium break-words text-ink">{email}</b>. It is valid for 10 minutes,
        in this browser only.
      </p>
      <input type="hidden" name="email" value={email} />
      <TextField
        field={fields.code}
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        inputClassName="font-mono tracking-[0.2em]"
      />
      <FormActions submit="Confirm" submitting="Confirming">
        <Link to={paths.account()} className="text-sm text-accent hover:underline">
          Use a different email
        </Link>
      </FormActions>
    </ScreenForm>
  );
}
