import type { FieldMetadata } from '@conform-to/react';
import { USER_TYPE_LABELS, USER_TYPES } from '@tapeline/domain/people/actor.ts';
import { Problem } from '../../../components/forms/fields.tsx';
import { PERMISSION_LABELS as LABELS } from './permission-form.ts';

/** The user types that can hold a permission. */
export function AllowedField({ field }: { field: FieldMetadata<unknown> }) {
  const chosen = [field.initialValue].flat();
  return (
    <fieldset id={field.id} className="sm:col-span-2" aria-describedby={field.errors ? field.errorId : undefined}>
      <legend className="mb-1 text-xs font-medium text-ink-2">{LABELS.allowed}</legend>
      <div className="flex flex-wrap gap-x-5">
        {USER_TYPES.map((type) => (
          <label key={type} className="flex min-h-8 items-center gap-2 text-sm max-sm:min-h-10">
            <input
              type="checkbox"
              name={field.name}
              value={type}
              defaultChecked={chosen.includes(type)}
              className="size-4 accent-accent"
            />
            {USER_TYPE_LABELS[type]}
          </label>
        ))}
      </div>
      <Problem field={field} label={LABELS.allowed} verb="Choose" />
    </fieldset>
  );
}
