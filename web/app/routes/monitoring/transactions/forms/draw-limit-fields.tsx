import type { FieldMetadata } from '@conform-to/react';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { DRAW_FREQUENCIES } from '@tapeline/domain/facilities/terms.schema.ts';
import { SelectField, TextField } from '../../../../components/forms/fields.tsx';
import { AmountFields, CURRENCY_CHOICES } from './amount-fields.tsx';
import type { ShownLimit, ShownTerms } from './shown-terms.ts';

const GROUPS = [
  ['draw', 'Regular draws'],
  ['prefunding', 'Prefunding'],
  ['recycling', 'Recycling'],
] as const;

function Limits({ field, group, title }: { field: FieldMetadata<ShownLimit>; group: string; title: string }) {
  const limit = field.getFieldset();
  const range = limit.amountRange.getFieldset();
  const frequency = limit.frequency.getFieldset();
  const days = limit.dueDateLimit.getFieldset();
  const optional = { required: false, marksOptional: false } as const;
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-md border border-line p-3 sm:grid-cols-2">
      <legend className="px-1 text-xs font-medium text-ink-2">{title}</legend>
      <div className="grid grid-cols-3 gap-2">
        <TextField field={range.min} label="Minimum amount" inputMode="decimal" {...optional} />
        <TextField field={range.max} label="Maximum amount" inputMode="decimal" {...optional} />
        <SelectField
          field={range.currency}
          label="Currency"
          choices={CURRENCY_CHOICES}
          empty="Choose"
          required={false}
        />
      </div>
      <div className="grid grid-cols-2 gap-2">
        <TextField field={frequency.limit} label="Draws" inputMode="numeric" {...optional} />
        <SelectField
          field={frequency.interval}
          label="In each period"
          choices={choicesOf(DRAW_FREQUENCIES)}
          empty="Choose"
          required={false}
        />
      </div>
      <div className="grid grid-cols-2 gap-2">
        <TextField field={days.min} label="Due after, minimum" unit="days" inputMode="numeric" {...optional} />
        <TextField field={days.max} label="Due after, maximum" unit="days" inputMode="numeric" {...optional} />
      </div>
      {group === 'draw' ? null : (
        <>
          <TextField
            field={limit.maxPercentage}
            label="Maximum share of the commitments"
            unit="%"
            inputMode="decimal"
            {...optional}
          />
          {group === 'prefunding' ? (
            <AmountFields field={limit.defaultAmount} label="Default amount" hint="Prefills the request" />
          ) : (
            <AmountFields field={limit.maxCollectionAccount} label="Maximum from the collection account" />
          )}
          <AmountFields field={limit.maxAmount} label="Maximum outstanding" />
        </>
      )}
    </fieldset>
  );
}

/** The limits of the three kinds of draw. A group without any figure has no limit. */
export function DrawLimitFields({ field }: { field: FieldMetadata<ShownTerms['drawLimits']> }) {
  const groups = field.getFieldset();
  return (
    <div className="flex flex-col gap-4">
      {GROUPS.map(([group, title]) => (
        <Limits key={group} field={groups[group]} group={group} title={title} />
      ))}
    </div>
  );
}
