import { Button } from '../../../../components/forms/button.tsx';
import type { Fieldset } from '../../../../components/forms/described-fields.tsx';
import { TextField } from '../../../../components/forms/fields.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';

/** Assets that are exempt from the rule, each given by its business id or by a condition, with the reason. */
export function RuleExceptions({
  form,
  fields,
}: {
  // biome-ignore lint/suspicious/noExplicitAny: this component takes forms of every shape
  form: any;
  fields: Fieldset;
}) {
  const hydrated = useHydrated();
  const lines = fields.exceptions.getFieldList() as {
    key: string;
    getFieldset(): Fieldset;
    initialValue?: unknown;
  }[];
  const stated = ((fields.exceptions.initialValue as { assetId?: string; filter?: string }[] | undefined) ?? []).some(
    (exception) => exception?.assetId || exception?.filter,
  );
  return (
    <details open={stated || undefined} className="rounded-md border border-line bg-paper">
      <summary className="px-3 py-2 text-xs font-medium text-ink-2 hover:text-ink">
        Exceptions <span className="font-normal text-ink-3">Exempt loans</span>
      </summary>
      <div className="flex flex-col gap-2 border-t border-line p-3">
        {lines.map((line, index) => {
          const exception = line.getFieldset();
          const named = (label: string) => (index === 0 ? label : <span className="sr-only">{label}</span>);
          return (
            <div key={line.key} className="grid items-end gap-2 sm:grid-cols-3">
              <TextField marksOptional={false} field={exception.assetId} label={named('Asset id')} />
              <TextField
                marksOptional={false}
                field={exception.filter}
                label={named('Or condition (JSON)')}
                placeholder='{"dateFinanced": {"lt": "2024-01-01"}}'
              />
              <TextField marksOptional={false} field={exception.reason} label={named('Reason')} />
            </div>
          );
        })}
        {hydrated ? (
          <Button
            type="submit"
            className="self-start"
            {...form.insert.getButtonProps({ name: fields.exceptions.name, defaultValue: { assetId: '' } })}
          >
            Add exception
          </Button>
        ) : (
          <p className="text-xs text-ink-3">Save to add another line.</p>
        )}
      </div>
    </details>
  );
}
