import type { FieldMetadata } from '@conform-to/react';
import { SPLIT_LABELS, type SplitRule } from '@tapeline/domain/capital/line-basis.ts';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { CheckboxField, SelectField } from '../../components/forms/fields.tsx';
import { MoreDetails } from '../../components/forms/more-details.tsx';

/** By what a line is divided over the investors. @param labels in place of those of the rules */
export const SplitField = ({
  field,
  rules,
  labels = {},
}: {
  field: FieldMetadata<string>;
  rules: readonly SplitRule[];
  labels?: Partial<Record<SplitRule, string>>;
}) => (
  <SelectField
    field={field}
    label="Divided"
    required={false}
    choices={rules.map((value) => ({ value, label: labels[value] ?? labelOf(SPLIT_LABELS, value) }))}
  />
);

/** Whether the notice says where each amount comes from. */
export const BasisField = ({ field }: { field: FieldMetadata<string> }) => (
  <MoreDetails names={[field.name]}>
    <CheckboxField
      field={field}
      label="Also show where each amount comes from"
      hint="It states what all investors have committed"
    />
  </MoreDetails>
);
