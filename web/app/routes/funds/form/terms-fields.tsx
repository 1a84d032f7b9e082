import { useField } from '@conform-to/react';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { FUND_STRATEGIES } from '@tapeline/domain/funds/fund.schema.ts';
import { FUND_TYPE_LABELS } from '@tapeline/domain/funds/kinds.ts';
import type { ReactNode } from 'react';
import { CURRENCY_CHOICES } from '../../../components/forms/currency-choices.ts';
import { CheckboxField, SelectField, TextareaField, TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { MoreDetails } from '../../../components/forms/more-details.tsx';
import { PanelSection } from '../../../components/page/section.tsx';

/** What the details of a fund have besides those of a main fund. */
interface FundDetails {
  names: readonly string[];
  terms: ReactNode;
  sections: ReactNode;
}

/** The terms that funds and main funds share. @param currency of a stored fund, which never changes; null for a new one */
export function FundTermsFields({ currency, more }: { currency: string | null; more?: FundDetails }) {
  const [title] = useField<string>('title');
  const [type] = useField<string>('type');
  const [strategy] = useField<string>('strategy');
  const [chosen] = useField<string>('currency');
  const [targetSize] = useField<string>('targetSize');
  const [hardCap] = useField<string>('hardCap');
  const [closingDate] = useField<string>('closingDate');
  const [description] = useField<string>('description');
  const [nonRecyclable] = useField<{ declerationDate: string; fromBeginning: boolean }>('nonRecyclable');
  const recall = nonRecyclable.getFieldset();
  const sum = { inputMode: 'decimal', unit: currency ?? undefined } as const;
  return (
    <>
      <PanelSection title="Terms" className={FORM_GRID}>
        <TextField field={title} label="Title" className="sm:col-span-2" />
        <SelectField field={type} label="Type" choices={choicesOf(FUND_TYPE_LABELS)} empty="Choose a type" />
        <SelectField field={strategy} label="Strategy" choices={choicesOf(FUND_STRATEGIES)} empty="Choose a strategy" />
        {currency === null ? (
          <SelectField
            field={chosen}
            label="Currency"
            hint="Of all sums of the fund. It cannot change later"
            choices={CURRENCY_CHOICES}
            empty="Choose a currency"
          />
        ) : null}
        <TextField field={closingDate} label="Closing date" type="date" hint="Of the final closing" />
        <TextField field={targetSize} label="Target size" {...sum} />
        <TextField field={hardCap} label="Hard cap" hint="The most that investors can commit" {...sum} />
      </PanelSection>
      <MoreDetails names={['description', 'nonRecyclable', ...(more?.names ?? [])]}>
        <PanelSection title="Description" className={FORM_GRID}>
          <TextareaField
            field={description}
            label="Description"
            hint="At most 100 characters"
            rows={2}
            className="sm:col-span-2"
          />
          {more?.terms}
        </PanelSection>
        <PanelSection title="Recalling distributions" note="optional" className={FORM_GRID}>
          <TextField
            field={recall.declerationDate}
            label="Not recallable from (optional)"
            type="date"
            hint="From this date on, principal that is paid back cannot be called again"
            required={false}
            marksOptional={false}
          />
          <CheckboxField
            field={recall.fromBeginning}
            label="From the beginning"
            hint="Also distributions before that date"
            className="sm:pt-6"
          />
        </PanelSection>
        {more?.sections}
      </MoreDetails>
    </>
  );
}
