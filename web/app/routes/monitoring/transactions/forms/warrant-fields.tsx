import type { FieldMetadata } from '@conform-to/react';
import { SelectField, TextareaField, TextField } from '../../../../components/forms/fields.tsx';
import { ListRows } from '../../../../components/forms/list-rows.tsx';
import { AmountFields } from './amount-fields.tsx';
import type { ShownWarrant } from './shown-terms.ts';

const KINDS = [
  { value: 'future', label: 'Future, as a percentage' },
  { value: 'actual', label: 'Actual' },
];

/** Warrants, of which every field is optional. */
export function WarrantFields({ field }: { field: FieldMetadata<ShownWarrant[]> }) {
  return (
    <ListRows field={field} one="Warrant" most={100}>
      {(item) => {
        const warrant = item.getFieldset();
        const actual = warrant.actual.getFieldset();
        return (
          <>
            <TextField field={warrant.shareClass} label="Share class" />
            <TextField field={warrant.allocationMethod} label="Allocation method" />
            <AmountFields field={warrant.holdingValue} label="Holding value" />
            <AmountFields field={warrant.outstandingIssuedValue} label="Outstanding issued value" />
            <AmountFields field={warrant.totalExercisePrice} label="Total exercise price" />
            <TextField field={warrant.unallocatedShares} label="Unallocated shares" inputMode="decimal" />
            <div className="grid grid-cols-2 gap-2">
              <SelectField
                field={actual.kind}
                label="Warrant (optional)"
                choices={KINDS}
                empty="Not given"
                required={false}
              />
              <TextField
                field={actual.percentage}
                label="Percentage"
                unit="%"
                inputMode="decimal"
                hint="Of a future warrant"
                required={false}
                marksOptional={false}
              />
            </div>
            <div className="grid grid-cols-2 gap-2">
              <TextField field={warrant.acquisitionDate} label="Acquisition date" type="date" />
              <TextField field={warrant.expirationDate} label="Expiration date" type="date" />
            </div>
            <TextareaField field={warrant.description} label="Description" rows={2} className="sm:col-span-2" />
          </>
        );
      }}
    </ListRows>
  );
}
