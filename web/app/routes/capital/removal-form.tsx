import { useActionData } from '@remix-run/react';
import { LinkButton } from '../../components/forms/button.tsx';
import { TextField } from '../../components/forms/fields.tsx';
import { FORM_PANEL } from '../../components/forms/form-layout.ts';
import { HiddenField } from '../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { PanelSection } from '../../components/page/section.tsx';
import type { ActionAnswer } from '../../http/screen.server.ts';
import { otherValue, type Stepped } from './stepped.ts';
import { withdrawalText } from './who-is-told.tsx';

/**
 * Asks why a call or distribution is removed.
 * @param told how many emails said that it was issued
 */
export function RemovalForm({ header, told, backTo }: { header: Stepped; told: number; backTo: string }) {
  const answer = useActionData<ActionAnswer>();
  const isIssued = header.issued > 0;
  const { netted } = header;
  const [form, fields] = useShortForm<{ headerVersion: string; reason: string }>('removal', {
    lastResult: answer?.intent === 'remove' ? answer.lastResult : null,
    defaultValue: { headerVersion: String(header.version) },
  });
  return (
    <PanelSection
      title={netted && isIssued ? `Withdraw ${header.label} and ${netted.name}?` : `Remove ${header.label}?`}
      note="its history is kept"
      className={FORM_PANEL}
    >
      <ScreenForm form={form} intent="remove" labels={{ reason: 'Reason' }}>
        <HiddenField name="headerVersion" />
        {netted && isIssued ? <input type="hidden" name="other" value={otherValue(netted)} /> : null}
        <TextField
          field={fields.reason}
          label={isIssued ? 'Reason' : 'Reason (optional)'}
          required={isIssued}
          marksOptional={false}
          maxLength={500}
          hint={isIssued ? 'It was already issued, so the history says why it was removed' : undefined}
        />
        {netted ? (
          <p className="mt-2 text-sm text-ink-2">
            {isIssued
              ? 'They were issued with one net amount for each investor, so both are withdrawn.'
              : `${netted.name.charAt(0).toUpperCase()}${netted.name.slice(1)} stays a draft and is settled separately.`}
          </p>
        ) : null}
        {isIssued ? <p className="mt-2 text-sm text-ink-2">{withdrawalText(told)}</p> : null}
        <FormActions submit={netted && isIssued ? 'Withdraw both' : 'Remove'} submitting="Removing" tone="danger">
          <LinkButton to={backTo} preventScrollReset>
            No
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </PanelSection>
  );
}
