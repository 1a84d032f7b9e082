import type { FieldMetadata } from '@conform-to/react';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { DATE_RANGE_LABELS, FEE_FREQUENCIES, FEE_TYPES } from '@tapeline/domain/facilities/terms.schema.ts';
import { type Choice, SelectField, TextField } from '../../../../components/forms/fields.tsx';
import { ListRows } from '../../../../components/forms/list-rows.tsx';
import { AmountFields } from './amount-fields.tsx';
import type { ShownFee } from './shown-terms.ts';

const RANGES = choicesOf(DATE_RANGE_LABELS);

/** Fees. A negative rate is a rebate. @param kinds suggested by the manager's list of fee kinds */
export function FeeFields({
  field,
  entities,
  kinds,
}: {
  field: FieldMetadata<ShownFee[]>;
  entities: readonly Choice[];
  kinds: readonly string[];
}) {
  return (
    <>
      <datalist id="fee-kinds">
        {kinds.map((kind) => (
          <option key={kind} value={kind} />
        ))}
      </datalist>
      <ListRows field={field} one="Fee" most={50}>
        {(item) => {
          const fee = item.getFieldset();
          const payee = fee.payee.getFieldset();
          const between = fee.dateRangeType.getFieldset();
          const dates = fee.dateRange.getFieldset();
          return (
            <>
              <TextField field={fee.title} label="Title of the fee" />
              <TextField field={fee.kind} label="Kind of fee" list="fee-kinds" autoComplete="off" />
              <AmountFields
                field={fee.rate}
                label="Rate"
                hint="A percentage or an amount; negative for a rebate"
                percentLabel="%"
                required
              />
              <SelectField
                field={fee.frequency}
                label="Frequency"
                choices={choicesOf(FEE_FREQUENCIES)}
                empty="Choose"
              />
              <SelectField
                field={fee.feeType}
                label="Charged on (optional)"
                choices={choicesOf(FEE_TYPES)}
                empty="Not given"
                required={false}
              />
              <div className="grid grid-cols-2 gap-2">
                <SelectField
                  field={payee.entity}
                  label="Payee (optional)"
                  choices={entities}
                  empty="By name"
                  required={false}
                />
                <TextField field={payee.name} label="Or its name" required={false} marksOptional={false} />
              </div>
              <div className="grid grid-cols-2 gap-2">
                <SelectField
                  field={between.start}
                  label="From (optional)"
                  choices={RANGES}
                  empty="Not given"
                  required={false}
                />
                <SelectField
                  field={between.end}
                  label="To (optional)"
                  choices={RANGES}
                  empty="Not given"
                  required={false}
                />
              </div>
              <div className="grid grid-cols-2 gap-2">
                <TextField
                  field={dates.start}
                  label="Other first date"
                  type="date"
                  required={false}
                  marksOptional={false}
                />
                <TextField
                  field={dates.end}
                  label="Other last date"
                  type="date"
                  required={false}
                  marksOptional={false}
                />
              </div>
            </>
          );
        }}
      </ListRows>
    </>
  );
}
