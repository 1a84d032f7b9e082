import type { FieldMetadata } from '@conform-to/react';
import { serviceProviderCreateSchema } from '@tapeline/domain/service-providers/service-provider.schema.ts';
import { z } from 'zod';
import { TextareaField, TextField } from '../../../components/forms/fields.tsx';
import { Panel } from '../../../components/page/section.tsx';

const { title, type, description } = serviceProviderCreateSchema.shape;

export const providerFormSchema = z.object({ title, type, description });

export const PROVIDER_LABELS = { title: 'Title', type: 'Type', description: 'Description' };

/** What service providers usually do for funds; others can be entered. */
const TYPES = [
  'Administrator',
  'Auditor',
  'Custodian',
  'Depositary',
  'Legal counsel',
  'Tax adviser',
  'Trustee',
  'Verification agent',
];

export function ProviderFields({
  fields,
}: {
  fields: Readonly<Record<keyof typeof PROVIDER_LABELS, FieldMetadata<unknown>>>;
}) {
  return (
    <Panel className="grid max-w-[46rem] gap-4 p-4 sm:grid-cols-2">
      <TextField field={fields.title} label={PROVIDER_LABELS.title} />
      <TextField field={fields.type} label={PROVIDER_LABELS.type} list="provider-types" autoComplete="off" />
      <datalist id="provider-types">
        {TYPES.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <TextareaField
        field={fields.description}
        label={PROVIDER_LABELS.description}
        rows={4}
        className="sm:col-span-2"
      />
    </Panel>
  );
}
