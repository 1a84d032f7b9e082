import { CURRENCY_CHOICES } from '../../../components/forms/currency-choices.ts';
import { SelectField, TextField } from '../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import type { ActionAnswer } from '../../../http/screen.server.ts';
import { ENTER_LABELS, enterSchema } from './rate-forms.ts';

const QUOTED_CHOICES = CURRENCY_CHOICES.filter(({ value }) => value !== 'USD');

/** @param currency the currency of the page; a field of the form if omitted */
export function EnterRate({
  currency,
  today,
  answer,
}: {
  currency?: string;
  today: string;
  answer: ActionAnswer | undefined;
}) {
  const [form, fields] = useScreenForm('enter-rate', enterSchema, {
    lastResult: answer?.intent === 'enter' ? answer.lastResult : null,
    defaultValue: { date: today, ...(currency ? { currency } : {}) },
    shouldValidate: 'onSubmit',
  });
  return (
    <PanelSection title="Enter a rate" note="Takes precedence over other sources for its day" padded>
      <ScreenForm form={form} intent="enter" labels={ENTER_LABELS}>
        {currency ? (
          <input type="hidden" name="currency" value={currency} />
        ) : (
          <SelectField
            field={fields.currency}
            label={ENTER_LABELS.currency}
            choices={QUOTED_CHOICES}
            empty="Choose a currency"
          />
        )}
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField field={fields.date} label={ENTER_LABELS.date} type="date" max={today} />
          <TextField
            field={fields.rate}
            label={ENTER_LABELS.rate}
            unit={currency ?? undefined}
            hint="Units for one US dollar"
            inputMode="decimal"
            autoComplete="off"
          />
        </div>
        <TextField field={fields.reason} label={ENTER_LABELS.reason} autoComplete="off" hint="Kept in the history" />
        <FormActions submit="Save rate" submitting="Saving" tone="plain" />
      </ScreenForm>
    </PanelSection>
  );
}
