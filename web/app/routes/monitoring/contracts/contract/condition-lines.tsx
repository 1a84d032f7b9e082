import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { createCatalog, type Field, type FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { operatorChoices } from '@tapeline/domain/filters/operator-choices.ts';
import { parseFilter } from '@tapeline/domain/filters/parse.ts';
import { filterToPhrases, type Phrase } from '@tapeline/domain/filters/sentence.ts';
import { CUT_OFF_FIELD } from '@tapeline/domain/tapes/target-schema.ts';
import { type ReactNode, useMemo, useState } from 'react';
import { GroupedLine } from '../../../../components/filters/group-controls.tsx';
import { Sentence } from '../../../../components/filters/sentence.tsx';
import { Button } from '../../../../components/forms/button.tsx';
import type { Fieldset } from '../../../../components/forms/described-fields.tsx';
import { inputClass, Select, SelectField, TextareaField, TextField } from '../../../../components/forms/fields.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';
import type { ContractView, Editing } from '../contract-view.server.ts';
import { BLANK_LINE, bracketProblem, ruleFilterOfForm } from '../item-forms.ts';
import { hintOf, operandsOf, optionsOf, useOfferedValues } from './offered-values.ts';

/**
 * Without JavaScript the field of a line is not known yet, so every comparison is offered. One that does not fit is
 * rejected with a message.
 */
const EVERY_OPERATOR = operatorChoices({ path: '', label: '', type: 'text' });

type Line = NonNullable<Parameters<typeof ruleFilterOfForm>[0]['rows']>[number];

/** Empty lines below the existing ones for users without JavaScript. */
const SPARE_LINES = 2;

/** The current meaning of the lines or the JSON, or what is wrong with their brackets. Null if they cannot be read yet. */
function readNow(fields: Fieldset, catalog: FieldCatalog): readonly Phrase[] | string | null {
  const rows = ((fields.rows.value as Line[] | undefined) ?? []).map((row) => ({ ...row }));
  try {
    const mode = fields.mode.value === 'json' ? 'json' : 'lines';
    const json = ruleFilterOfForm({ mode, rows, json: fields.json.value }, catalog);
    return filterToPhrases(parseFilter(json, catalog));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return bracketProblem(rows);
  }
}

/** A filter of a rule or an exception: lines of field, comparison and value, or JSON for what lines cannot express. */
export function ConditionLines({
  form,
  fields,
  legend,
  contract,
  editing,
  hint,
}: {
  // biome-ignore lint/suspicious/noExplicitAny: this component takes forms of every shape
  form: any;
  /** `mode`, `rows` and `json`, of the form or of a group in it. */
  fields: Fieldset;
  legend: string;
  contract: ContractView;
  editing: Editing;
  /** One line below the conditions. */
  hint?: ReactNode;
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
  const catalog = useMemo(() => ({ ...createCatalog(offered, 'targetData.'), cutOff: CUT_OFF_FIELD }), [offered]);
  const read = hydrated ? readNow(fields, catalog) : null;
  const stated = (fields.rows.initialValue as Line[] | undefined) ?? [];
  const [asked, setAsked] = useState(false);
  const hasBrackets = !hydrated || asked || stated.some(({ open, close }) => open || close);
  const add = (join: 'and' | 'or') =>
    form.insert.getButtonProps({ name: fields.rows.name, defaultValue: { ...BLANK_LINE, join } });
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-xs font-medium text-ink-2">{legend}</legend>
      <div className={isJson && hydrated ? 'hidden' : 'flex flex-col gap-2'}>
        {lines.map((line, index) => (
          <ConditionLine
            key={line.key}
            line={line.getFieldset()}
            index={index}
            hasBrackets={hasBrackets}
            byPath={byPath}
            offered={offered}
            choices={choices}
            contract={contract}
            known={known}
            remove={hydrated && lines.length > 1 ? form.remove.getButtonProps({ name: fields.rows.name, index }) : null}
          />
        ))}
        {hydrated || (isJson && lines.length === 0) ? null : (
          <SpareLines name={fields.rows.name} from={lines.length} choices={choices} />
        )}
        {hint ? <p className="text-xs text-ink-3">{hint}</p> : null}
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
          <>
            <Button type="submit" {...add('and')}>
              And
            </Button>
            <Button type="submit" {...add('or')}>
              Or
            </Button>
            {hasBrackets ? null : (
              <Button type="button" tone="quiet" onClick={() => setAsked(true)}>
                Brackets
              </Button>
            )}
          </>
        ) : null}
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
      <p className={typeof read === 'string' ? 'mt-2 text-xs text-danger' : 'mt-2 text-xs text-ink-2'} role="status">
        {typeof read === 'string' ? read : null}
        {typeof read === 'object' && read && read.length > 1 ? (
          <>
            Reads: <Sentence phrases={read} />.
          </>
        ) : null}
      </p>
    </fieldset>
  );
}

function ConditionLine({
  line,
  index,
  hasBrackets,
  byPath,
  offered,
  choices,
  contract,
  known,
  remove,
}: {
  line: Fieldset;
  index: number;
  hasBrackets: boolean;
  byPath: ReadonlyMap<string, Field>;
  offered: readonly Field[];
  choices: readonly { value: string; label: string }[];
  contract: ContractView;
  known: Editing['known'];
  remove: Record<string, unknown> | null;
}) {
  const hydrated = useHydrated();
  const isFirst = index === 0;
  const chosen = line.path.value ? byPath.get(line.path.value) : undefined;
  const operators = (hydrated && chosen ? operatorChoices(chosen) : EVERY_OPERATOR).map((choice) => ({
    value: choice.operator,
    label: choice.operator === 'in' ? 'is one of' : choice.words,
  }));
  const named = (label: string) => (isFirst ? label : <span className="sr-only">{label}</span>);
  const values = useOfferedValues(contract, known, chosen, (line.value.value as string | undefined) ?? '');
  const options = [...optionsOf(chosen, values), ...operandsOf(chosen, offered)];
  // A field that the mapping no longer makes stays selected, so that it is visible.
  const stated = line.path.initialValue as string | undefined;
  const all = stated && !byPath.has(stated) ? [{ value: stated, label: stated }, ...choices] : choices;
  const partOf = (part: 'join' | 'open' | 'close') => String(line[part].initialValue ?? '');
  return (
    <>
      <GroupedLine
        index={index}
        line={{ join: partOf('join'), open: partOf('open'), close: partOf('close') }}
        nameOf={(part) => line[part].name}
        hasBrackets={hasBrackets}
        isOnly={remove === null && hydrated}
        isLabelled={isFirst}
        action={
          remove ? (
            <Button type="submit" tone="quiet" {...remove}>
              Remove
            </Button>
          ) : null
        }
      >
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
      </GroupedLine>
      {options.length > 0 ? (
        <datalist id={`${line.value.id}-values`}>
          {options.map(({ value, label }) => (
            <option key={value} value={value} label={label} />
          ))}
        </datalist>
      ) : null}
    </>
  );
}

/** Empty lines for users without JavaScript, who cannot add any. */
function SpareLines({
  name,
  from,
  choices,
}: {
  name: string;
  from: number;
  choices: readonly { value: string; label: string }[];
}) {
  return Array.from({ length: SPARE_LINES }, (_, spare) => {
    const index = from + spare;
    const nameOf = (part: string) => `${name}[${index}].${part}`;
    const which = `Condition ${index + 1}`;
    return (
      <GroupedLine key={index} index={index} line={BLANK_LINE} nameOf={nameOf} hasBrackets>
        <Select name={nameOf('path')} aria-label={`${which}: field`} choices={choices} empty="No condition" />
        <Select
          name={nameOf('operator')}
          aria-label={`${which}: comparison`}
          choices={EVERY_OPERATOR.map(({ operator, words }) => ({ value: operator, label: words }))}
        />
        <input name={nameOf('value')} aria-label={`${which}: value`} autoComplete="off" className={inputClass()} />
      </GroupedLine>
    );
  });
}
