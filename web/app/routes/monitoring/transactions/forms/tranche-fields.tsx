import { useField } from '@conform-to/react';
import { TRANCHE_TYPES } from '@tapeline/domain/facilities/terms.schema.ts';
import { CheckboxField, TextareaField, TextField } from '../../../../components/forms/fields.tsx';
import { Panel, Section } from '../../../../components/page/section.tsx';
import { FORM_GRID } from './terms-fields.tsx';

/** What a tranche has besides its terms. */
export function TrancheFields() {
  const [title] = useField<string>('title');
  const [sequence] = useField<string>('sequence');
  const [type] = useField<string>('type');
  const [isDiscretional] = useField<string>('isDiscretional');
  const [description] = useField<string>('description');
  const [condition] = useField<string>('condition');
  return (
    <Section title="Tranche">
      <Panel className={FORM_GRID}>
        <TextField field={title} label="Title" />
        <TextField
          field={sequence}
          label="Sequence"
          hint="Its place among the tranches; a unique number"
          inputMode="numeric"
        />
        <TextField
          field={type}
          label="Type"
          hint="ROFR, ROFO or another exclusivity"
          list="tranche-types"
          autoComplete="off"
        />
        <datalist id="tranche-types">
          {TRANCHE_TYPES.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
        <CheckboxField
          field={isDiscretional}
          label="Discretionary"
          hint="A user of the manager must approve the move into it"
          className="self-end pb-1.5"
        />
        <TextareaField
          field={condition}
          label="Condition for moving into it (optional)"
          hint="Free text, not checked by Tapeline"
          rows={2}
          required={false}
        />
        <TextareaField field={description} label="Description (optional)" rows={2} required={false} />
      </Panel>
    </Section>
  );
}
