import { useField } from '@conform-to/react';
import { SelectField, TextField } from '../../components/forms/fields.tsx';

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

/** Whom a changed call or distribution concerns. */
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

/** Why a call or distribution that was issued is withdrawn, before it is issued again. */
export function ReasonField() {
  const [reason] = useField<string>('reason');
  return (
    <TextField
      field={reason}
      label="Reason for withdrawing it"
      required
      marksOptional={false}
      maxLength={500}
      hint="It was issued. It is withdrawn, and issued again as you change it; whoever was told of it is told of both"
    />
  );
}
