import type { FieldMetadata } from '@conform-to/react';
import { TextField } from '../../components/forms/fields.tsx';

export const DETAILS_LABELS = { firstName: 'First name', lastName: 'Last name', phoneNumber: 'Phone number' };

/** A person's names and phone number, as they enter them themselves. */
export function DetailsFields({
  fields,
}: {
  fields: Record<'firstName' | 'lastName' | 'phoneNumber', FieldMetadata<unknown, Record<string, unknown>, string[]>>;
}) {
  return (
    <>
      <TextField field={fields.firstName} label={DETAILS_LABELS.firstName} autoComplete="given-name" />
      <TextField field={fields.lastName} label={DETAILS_LABELS.lastName} autoComplete="family-name" />
      <TextField
        field={fields.phoneNumber}
        label={`${DETAILS_LABELS.phoneNumber} (optional)`}
        hint="Country code and number, digits only, for example 442079460018"
        inputMode="numeric"
        autoComplete="tel"
      />
    </>
  );
}
