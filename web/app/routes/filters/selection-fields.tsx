export const FILTER_LABELS = { title: 'Name', funds: 'Funds', investors: 'Investors' };

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
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-xs font-medium text-ink-2">{label}</legend>
      {choices.length === 0 ? (
        <p className="text-sm text-ink-3">There are none that you can see.</p>
      ) : (
        <div className="max-h-56 overflow-y-auto rounded-md border border-field-line bg-paper p-1">
          {choices.map((choice) => (
            <label
              key={choice.value}
              className="flex min-h-8 items-center gap-2 rounded-md px-2 py-1 text-sm hover:bg-hover max-sm:min-h-10"
            >
              <input
                type="checkbox"
                name={name}
                value={choice.value}
                defaultChecked={chosen.includes(choice.value)}
                className="size-4 flex-none accent-accent"
              />
              <span className="min-w-0 break-words">{choice.label}</span>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}
