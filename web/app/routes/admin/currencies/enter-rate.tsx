import type { z } from 'zod';
import { CURRENCY_CHOICES } from '../../../components/forms/currency-choices.ts';
import { SelectField, TextField } from '../../../components/forms/fields.tsx';
import { FormActions, ScreenForm } from '../../../components/forms/screen-form.tsx';
import { useShortForm } from '../../../components/forms/use-short-form.ts';
import { PanelSection } from '../../../components/page/section.tsx';
import type { ActionAnswer } from '../../../http/screen.server.ts';
import { ENTER_LABELS, type enterSchema } from './rate-forms.ts';

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
  const [form, fields] = useShortForm<z.input<typeof enterSchema>>('enter-rate', {
    lastResult: answer?.intent === 'enter' ? answer.lastResult : null,
    defaultValue: { date: today, ...(currency ? { currency } : {}) },
    required: ['rate', 'reason'],
    chosen: ['currency', 'date'],
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
