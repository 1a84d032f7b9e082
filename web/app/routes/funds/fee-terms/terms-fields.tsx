import { type FieldMetadata, useField } from '@conform-to/react';
import { DAY_COUNTS, DEFAULT_INTEREST_DAY_COUNT } from '@tapeline/domain/facilities/terms-labels.ts';
import { CheckboxField, SelectField, TextField } from '../../../components/forms/fields.tsx';
import { FORM_GRID } from '../../../components/forms/form-layout.ts';
import { MoreDetails } from '../../../components/forms/more-details.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import type { ShownFeeTerms } from './terms-form.ts';

const OPTIONAL = { required: false, marksOptional: false } as const;
const PERCENT = { unit: '%', inputMode: 'decimal', ...OPTIONAL } as const;

/** What the form shows as details. */
const DETAILS = [
  'terms.management.interestIncome',
  'terms.management.assets',
  'terms.management.assetsBasis',
  'terms.management.minimum',
  'terms.management.offset',
  'terms.management.waiver',
  'terms.management.stepDown',
  'terms.success.interestShare',
  'terms.success.equityOnly',
  'terms.success.simple',
  'terms.success.perTransaction',
  'terms.success.clawback',
  'terms.transaction',
  'terms.overallCap',
  'terms.defaultInterest',
];

function NavBasis({ field }: { field: FieldMetadata<string> }) {
  return (
    <SelectField
      field={field}
      label="Assets are"
      hint="Which NAV the fee on assets is charged on"
      choices={[{ value: 'net', label: 'Net NAV' }]}
      empty="Gross NAV"
      required={false}
    />
  );
}

function StepDown({ field }: { field: FieldMetadata<ShownFeeTerms['management']['stepDown']> }) {
  const { from, committed, invested, interestIncome, assets, assetsBasis } = field.getFieldset();
  return (
    <PanelSection title="Step-down" note="optional; these rates replace those above" className={FORM_GRID}>
      <TextField
        field={from}
        label="Step-down from"
        type="date"
        hint="Blank: from the end of the fund’s investment period on"
        {...OPTIONAL}
      />
      <TextField field={committed} label="Then on committed capital" {...PERCENT} />
      <TextField field={invested} label="Then on invested capital" {...PERCENT} />
      <TextField field={interestIncome} label="Then on interest income" {...PERCENT} />
      <TextField field={assets} label="Then on assets" {...PERCENT} />
      <NavBasis field={assetsBasis} />
    </PanelSection>
  );
}

/** The terms themselves: the rates that most funds have, and the rest behind details. */
export function TermsFields({ currency }: { currency: string }) {
  const [terms] = useField<ShownFeeTerms>('terms');
  const { management, success, transaction, overallCap, defaultInterest } = terms.getFieldset();
  const managed = management.getFieldset();
  const earned = success.getFieldset();
  const passed = transaction.getFieldset();
  const late = defaultInterest.getFieldset();
  const sum = { unit: currency, inputMode: 'decimal', ...OPTIONAL } as const;
  return (
    <>
      <PanelSection title="Fees" note="rates are per year" className={FORM_GRID}>
        <TextField field={managed.committed} label="Management fee on committed capital" {...PERCENT} />
        <TextField field={managed.invested} label="Management fee on invested capital" {...PERCENT} />
        <TextField field={earned.rate} label="Success fee" hint="The manager’s share of the profit" {...PERCENT} />
        <TextField field={earned.hurdle} label="Hurdle" {...PERCENT} />
        <TextField field={earned.catchUp} label="Catch-up" {...PERCENT} />
      </PanelSection>
      <MoreDetails names={DETAILS}>
        <PanelSection title="Management fee" className={FORM_GRID}>
          <TextField field={managed.interestIncome} label="On interest income" {...PERCENT} />
          <TextField field={managed.assets} label="On assets" {...PERCENT} />
          <NavBasis field={managed.assetsBasis} />
          <TextField field={managed.minimum} label="Minimum a year" hint="Of each investor" {...sum} />
          <TextField
            field={managed.offset}
            label="Offset"
            hint="Of its share of the fees that borrowers pay, which reduces the fee"
            {...PERCENT}
          />
          <TextField field={managed.waiver} label="Waiver" hint="Of the fee, which is not charged" {...PERCENT} />
        </PanelSection>
        <StepDown field={managed.stepDown} />
        <PanelSection title="Success fee" className={FORM_GRID}>
          <TextField
            field={earned.interestShare}
            label="Share of interest"
            hint="Share of interest included in the fee. Blank means 100%."
            {...PERCENT}
          />
          <CheckboxField field={earned.equityOnly} label="Only capital gains enter the success fee" />
          <CheckboxField field={earned.simple} label="The hurdle does not compound" />
          <CheckboxField
            field={earned.perTransaction}
            label="American, by facility"
            hint="Otherwise European, over the whole fund"
          />
          <CheckboxField
            field={earned.clawback}
            label="Clawback"
            hint="The manager returns what it was paid too much"
          />
        </PanelSection>
        <PanelSection title="Transaction fees and cap" className={FORM_GRID}>
          <CheckboxField field={passed.applied} label="Reach the investor" hint="Fees that borrowers pay" />
          <TextField field={passed.cap} label="Cap" hint="Of the active commitment" {...PERCENT} />
          <TextField field={overallCap} label="Cap on all fees" hint="Of a period that is charged" {...sum} />
        </PanelSection>
        <PanelSection title="Default interest" note="on calls that are overdue" className={FORM_GRID}>
          <TextField field={late.rate} label="Default interest" {...PERCENT} />
          <TextField
            field={late.graceDays}
            label="Days of grace"
            hint="Days after the due date without interest"
            inputMode="numeric"
            {...OPTIONAL}
          />
          <SelectField
            field={late.dayCount}
            label="Day count"
            choices={DAY_COUNTS.map((value) => ({ value, label: value }))}
            empty={DEFAULT_INTEREST_DAY_COUNT}
            required={false}
          />
        </PanelSection>
      </MoreDetails>
    </>
  );
}
