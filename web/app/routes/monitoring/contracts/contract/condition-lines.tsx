import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { operatorChoices } from '@tapeline/domain/filters/build.ts';
import { createCatalog, type Field } from '@tapeline/domain/filters/catalog.ts';
import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import { filterToPhrases, type Phrase } from '@tapeline/domain/filters/sentence.ts';
import { useMemo } from 'react';
import { Sentence } from '../../../../components/filters/sentence.tsx';
import { Button } from '../../../../components/forms/button.tsx';
import type { Fieldset } from '../../../../components/forms/described-fields.tsx';
import { SelectField, TextareaField, TextField } from '../../../../components/forms/fields.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';
import type { ContractView, Editing } from '../contract-view.server.ts';
import { ruleFilterOfForm } from '../item-forms.ts';
import { PARTS } from '../sections.ts';
import { hintOf, optionsOf, useOfferedValues } from './offered-values.ts';

/**
 * Without JavaScript the field of a line is not known yet, so every comparison is offered. One that does not fit is
 * rejected with a message.
 */
const EVERY_OPERATOR = operatorChoices({ path: '', label: '', type: 'text' });

interface Line {
  path?: string;
  operator?: string;
  value?: string;
}

/** The current meaning of the lines or the JSON. Null if they cannot be read yet. */
function readNow(fields: Fieldset, offered: readonly Field[]): readonly Phrase[] | null {
  const catalog = createCatalog(offered, 'targetData.');
  try {
    const json = ruleFilterOfForm(
      {
        mode: fields.mode.value === 'json' ? 'json' : 'lines',
        join: fields.join.value === 'or' ? 'or' : 'and',
        rows: ((fields.rows.value as Line[] | undefined) ?? []).map((row) => ({ ...row })) as never,
        json: fields.json.value,
      },
      catalog,
    );
    return filterToPhrases(parseFilter(json, catalog));
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** A rule's filter: lines of field, comparison and value, or JSON for what lines cannot express. */
export function ConditionLines({
  form,
  fields,
  contract,
  editing,
}: {
  // biome-ignore lint/suspicious/noExplicitAny: this component takes forms of every shape
  form: any;
  fields: Fieldset;
  contract: ContractView;
  editing: Editing;
}) {
  const { offered, known } = editing;
  const hydrated = useHydrated();
  const isJson = fields.mode.value === 'json';
  const lines = fields.rows.getFieldList() as { key: string; name: string; getFieldset(): Fieldset }[];
  const byPath = useMemo(() => new Map(offered.map((field) => [field.path, field])), [offered]);
  const choices = useMemo(
    () =>
      offered
        .map((field) => ({ value: field.path, label: field.label }))
        .sort((a, b) => a.label.localeCompare(b.label, 'en')),
    [offered],
  );
  const read = hydrated ? readNow(fields, offered) : null;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-xs font-medium text-ink-2">{PARTS[contract.section].conditions}</legend>
      <div className={isJson && hydrated ? 'hidden' : 'flex flex-col gap-2'}>
        {lines.map((line, index) => (
          <ConditionLine
            key={line.key}
            line={line.getFieldset()}
            isFirst={index === 0}
            byPath={byPath}
            choices={choices}
            contract={contract}
            known={known}
            remove={hydrated && lines.length > 1 ? form.remove.getButtonProps({ name: fields.rows.name, index }) : null}
          />
        ))}
      </div>
      <div className={isJson || !hydrated ? 'mt-2' : 'hidden'}>
        <TextareaField
          field={fields.json}
          label="As JSON"
          rows={5}
          spellCheck={false}
          hint='Groups with $and, $or and $not: {"$or": [{"address.state": "CA"}, {"term": {"gt": 48}}]}'
        />
      </div>
      <div className="mt-2.5 flex flex-wrap items-end gap-3">
        {hydrated && !isJson ? (
          <Button
            type="submit"
            {...form.insert.getButtonProps({
              name: fields.rows.name,
              defaultValue: { path: '', operator: 'eq', value: '' },
            })}
          >
            And
          </Button>
        ) : null}
        <SelectField
          field={fields.join}
          label="Match"
          className={hydrated && (isJson || lines.length < 2) ? 'hidden' : undefined}
          choices={[
            { value: 'and', label: 'all conditions' },
            { value: 'or', label: 'any condition' },
          ]}
        />
        <SelectField
          field={fields.mode}
          label="Written as"
          className="sm:ml-auto"
          choices={[
            { value: 'lines', label: 'conditions' },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </div>
      {read && read.length > 1 ? (
        <p className="mt-2 text-xs text-ink-2" role="status">
          Reads: <Sentence phrases={read} />.
        </p>
      ) : null}
    </fieldset>
  );
}

function ConditionLine({
  line,
  isFirst,
  byPath,
  choices,
  contract,
  known,
  remove,
}: {
  line: Fieldset;
  isFirst: boolean;
  byPath: ReadonlyMap<string, Field>;
  choices: readonly { value: string; label: string }[];
  contract: ContractView;
  known: Editing['known'];
  remove: Record<string, unknown> | null;
}) {
  const hydrated = useHydrated();
  const chosen = line.path.value ? byPath.get(line.path.value) : undefined;
  const operators = (hydrated && chosen ? operatorChoices(chosen) : EVERY_OPERATOR).map((choice) => ({
    value: choice.operator,
    label: choice.operator === 'in' ? 'is one of' : choice.words,
  }));
  const named = (label: string) => (isFirst ? label : <span className="sr-only">{label}</span>);
  const values = useOfferedValues(contract, known, chosen, (line.value.value as string | undefined) ?? '');
  const options = optionsOf(chosen, values);
  // A field that the mapping no longer makes stays selected, so that it is visible.
  const stated = line.path.initialValue as string | undefined;
  const all = stated && !byPath.has(stated) ? [{ value: stated, label: stated }, ...choices] : choices;
  return (
    <div className="grid items-start gap-2 sm:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_minmax(0,1fr)_auto]">
      <SelectField field={line.path} label={named('Field')} choices={all} empty="Choose a field" />
      <SelectField field={line.operator} label={named('Comparison')} choices={operators} />
      <TextField
        field={line.value}
        label={named('Value')}
        unit={chosen?.unit}
        marksOptional={false}
        list={options.length > 0 ? `${line.value.id}-values` : undefined}
        hint={hintOf(values)}
        autoComplete="off"
        placeholder={chosen?.type === 'date' ? '2026-10-31' : undefined}
      />
      {remove ? (
        <Button type="submit" tone="quiet" className={isFirst ? 'sm:mt-5' : undefined} {...remove}>
          Remove
        </Button>
      ) : null}
      {options.length > 0 ? (
        <datalist id={`${line.value.id}-values`}>
          {options.map(({ value, label }) => (
            <option key={value} value={value} label={label} />
          ))}
        </datalist>
      ) : null}
    </div>
  );
}
