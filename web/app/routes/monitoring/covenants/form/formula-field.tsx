import type { FieldMetadata } from '@conform-to/react';
import { TextareaField } from '../../../../components/forms/fields.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';

/** The names that a formula can use, by where they are from. */
export interface FormulaNames {
  readonly label: string;
  readonly names: readonly string[];
}

/** Writes a name at the cursor of a field, as if it were typed. */
function insert(id: string, name: string): void {
  const input = document.getElementById(id);
  if (!(input instanceof HTMLTextAreaElement)) return;
  const { selectionStart, selectionEnd } = input;
  input.focus();
  input.setRangeText(`[${name}]`, selectionStart, selectionEnd, 'end');
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

/** The figure of a test, or a formula of figures, with the names that it can use. */
export function FigureFormulaField({
  field,
  groups,
}: {
  field: FieldMetadata<unknown>;
  groups: readonly FormulaNames[];
}) {
  const isHydrated = useHydrated();
  return (
    <div className="sm:col-span-2">
      <TextareaField
        field={field}
        label="Figure"
        hint="A name in square brackets, or a formula of names: [60+ days past due] / [Relevant pool] * 100"
        rows={2}
        maxLength={500}
        spellCheck={false}
        className="[&_textarea]:font-mono"
      />
      <dl className="mt-2 flex flex-col gap-2 text-xs">
        {groups
          .filter(({ names }) => names.length > 0)
          .map(({ label, names }) => (
            <div key={label}>
              <dt className="mb-1 text-ink-3">{label}</dt>
              <dd className="flex flex-wrap gap-1.5">
                {names.map((name) =>
                  isHydrated ? (
                    <button
                      key={name}
                      type="button"
                      onClick={() => insert(field.id, name)}
                      className="min-h-6 rounded-md border border-line-strong bg-paper px-2 text-left text-ink-2 hover:bg-hover hover:text-ink max-sm:min-h-10"
                    >
                      {name}
                    </button>
                  ) : (
                    <span
                      key={name}
                      className="min-h-6 rounded-md border border-line px-2 py-0.5 text-ink-2 max-sm:min-h-10"
                    >
                      {name}
                    </span>
                  ),
                )}
              </dd>
            </div>
          ))}
      </dl>
    </div>
  );
}
