import { Button } from '../../../../components/forms/button.tsx';
import { type Fieldset, fieldsetOf } from '../../../../components/forms/described-fields.tsx';
import { TextField } from '../../../../components/forms/fields.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';
import type { ContractView, Editing } from '../contract-view.server.ts';
import { BLANK_EXCEPTION } from '../item-forms.ts';
import { ConditionLines } from './condition-lines.tsx';

interface Stated {
  readonly assetId?: string;
  readonly rows?: readonly { readonly path?: string }[];
  readonly json?: string;
}

const hasCondition = ({ rows, json }: Stated = {}): boolean => Boolean(json || rows?.some((row) => row?.path));

interface Props {
  // biome-ignore lint/suspicious/noExplicitAny: this component takes forms of every shape
  form: any;
  fields: Fieldset;
  contract: ContractView;
  editing: Editing;
}

/** Assets that are exempt from the rule, each given by its business id or by a condition, with the reason. */
export function RuleExceptions({ form, fields, contract, editing }: Props) {
  const hydrated = useHydrated();
  const exceptions = fields.exceptions.getFieldList() as { key: string; initialValue?: Stated }[];
  const isStated = exceptions.some(({ initialValue }) => initialValue?.assetId || hasCondition(initialValue));
  return (
    <details open={isStated || undefined} className="rounded-md border border-line bg-paper">
      <summary className="px-3 py-2 text-xs font-medium text-ink-2 hover:text-ink">
        Exceptions <span className="font-normal text-ink-3">Exempt loans</span>
      </summary>
      <div className="flex flex-col gap-4 border-t border-line p-3">
        {exceptions.map((exception, index) => (
          <RuleException
            key={exception.key}
            exception={exception}
            index={index}
            remove={
              hydrated && exceptions.length > 1
                ? form.remove.getButtonProps({ name: fields.exceptions.name, index })
                : null
            }
            {...{ form, contract, editing }}
          />
        ))}
        {hydrated ? (
          <Button
            type="submit"
            className="self-start"
            {...form.insert.getButtonProps({ name: fields.exceptions.name, defaultValue: BLANK_EXCEPTION })}
          >
            Add exception
          </Button>
        ) : (
          <p className="text-xs text-ink-3">Save to add another exception.</p>
        )}
      </div>
    </details>
  );
}

/** The asset or the condition of an exception, with its reason. Both are offered while neither is entered. */
function RuleException({
  form,
  exception,
  index,
  remove,
  contract,
  editing,
}: Omit<Props, 'fields'> & {
  exception: { readonly initialValue?: Stated; readonly value?: Stated };
  index: number;
  remove: Record<string, unknown> | null;
}) {
  const fields = fieldsetOf(exception);
  const { initialValue: stated, value } = exception;
  // What was entered stays visible, so that nothing disappears from under the pointer.
  const isAsset = Boolean(stated?.assetId) && !hasCondition(stated) && Boolean(value?.assetId);
  const isCondition = hasCondition(stated) && !stated?.assetId && hasCondition(value);
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Exception {index + 1}</legend>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-end gap-2">
          <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-2">
            {isCondition ? null : <TextField marksOptional={false} field={fields.assetId} label="Asset id" />}
            <TextField marksOptional={false} field={fields.reason} label="Reason" />
          </div>
          {remove ? (
            <Button type="submit" tone="quiet" {...remove}>
              Remove exception
            </Button>
          ) : null}
        </div>
        {isAsset ? null : (
          <ConditionLines
            form={form}
            fields={fields}
            legend={isCondition ? 'An asset is exempt when' : 'Or an asset is exempt when'}
            contract={contract}
            editing={editing}
          />
        )}
      </div>
    </fieldset>
  );
}
