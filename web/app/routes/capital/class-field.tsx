import { useField } from '@conform-to/react';
import { SelectField } from '../../components/forms/fields.tsx';

/** The class that a document is for; nothing for a fund without classes. */
export function ClassField({ classes }: { classes: readonly { name: string; uniqueKey: string }[] }) {
  const [Class] = useField<string>('Class');
  return classes.length > 0 ? (
    <SelectField
      field={Class}
      label="Class"
      empty="All classes"
      required={false}
      choices={classes.map(({ name, uniqueKey }) => ({ value: uniqueKey, label: name }))}
    />
  ) : null;
}

/** Whom a changed draft concerns. */
export function InvestorsField({ choices }: { choices: readonly { value: string; label: string }[] }) {
  const [investors] = useField<string>('investors');
  return (
    <SelectField
      field={investors}
      label="Investors"
      choices={choices}
      hint="Amounts are split again if they, the cut-off date or the investors change"
    />
  );
}
