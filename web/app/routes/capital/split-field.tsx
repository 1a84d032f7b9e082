import type { FieldMetadata } from '@conform-to/react';
import { SPLIT_LABELS, type SplitRule } from '@tapeline/domain/capital/line-basis.ts';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { SelectField } from '../../components/forms/fields.tsx';

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
