import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { groupFilterCreateSchema, MOST_IDS } from '@tapeline/domain/group-filters/group-filter.schema.ts';
import { useId } from 'react';
import { z } from 'zod';

export const FILTER_LABELS = { title: 'Name', funds: 'Funds', investors: 'Investors' };

const ids = z.preprocess(
  (value) => (value === undefined ? [] : [value].flat()),
  z.array(idSchema).max(MOST_IDS, `At most ${MOST_IDS}`),
);
export const filterFormSchema = groupFilterCreateSchema.pick({ title: true }).extend({ funds: ids, investors: ids });

export interface FilterChoice {
  readonly value: string;
  readonly label: string;
}

/** The funds or the investors of a filter, as a list in which several can be chosen. */
export function FilterChoices({
  name,
  label,
  choices,
  chosen = [],
}: {
  name: string;
  label: string;
  choices: readonly FilterChoice[];
  chosen?: readonly string[];
}) {
  const hint = useId();
  return (
    <div>
      <label className="grid gap-1 text-xs font-medium text-ink-2">
        {label}
        <select
          multiple
          aria-describedby={hint}
          name={name}
          size={6}
          defaultValue={[...chosen]}
          className="rounded-md border border-field-line bg-paper p-1 text-sm text-ink"
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      </label>
      <p id={hint} className="mt-1 text-xs text-ink-3">
        Hold Ctrl or ⌘ to choose several.
      </p>
    </div>
  );
}
