import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { filterToSentence } from '@tapeline/domain/filters/sentence.ts';
import { planMapping } from '@tapeline/domain/tapes/mapping-plan.ts';
import {
  CHECK_WORDS,
  CHECKS,
  mappingRuleSchema,
  ON_DUPLICATE_LABELS,
  ON_UNREADABLE_LABELS,
} from '@tapeline/domain/tapes/rule.schema.ts';
import { STEP_FORMS, STEP_GROUPS, STEP_TYPES } from '@tapeline/domain/tapes/step-fields.ts';
import { CONSISTENT_PATHS, TARGET_FIELDS } from '@tapeline/domain/tapes/target-schema.ts';
import { X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { Button } from '../../../../components/forms/button.tsx';
import { inputClass, Select } from '../../../../components/forms/fields.tsx';
import { useHydrated } from '../../../../components/use-hydrated.ts';
import { type DraftProblem, type RawRule, type RawStep, textOf } from '../draft.ts';
import type { SheetColumn } from '../draft-preview.ts';
import { VALIDATION_KINDS } from '../edit-draft.ts';
import { CUSTOM_TARGET, TARGET_GROUPS, targetChoice, validationFieldName } from '../rule-form.ts';
import { EditButton } from './edit-button.tsx';
import { Labelled, Problems, StepForm } from './step-fields-form.tsx';

const UNREADABLE_HINT = 'What is Mandatory is an error in any case';

const VALIDATION_WORDS: Record<(typeof VALIDATION_KINDS)[number], string> = {
  minNumber: 'At least',
  maxNumber: 'At most',
  minDate: 'Not before',
  maxDate: 'Not after',
  notContains: 'Does not contain',
  mustContains: 'Contains',
  mustBeTrue: 'Is true',
  mustBeFalse: 'Is false',
  minLength: 'Is at least this long',
  maxLength: 'Is at most this long',
};

/** The conditions of the rule's if steps as sentences, by step index. Empty if the rule cannot be read yet. */
function conditionsOf(rule: RawRule, before: readonly RawRule[]): Map<number, string> {
  const found = new Map<number, string>();
  if (!rule.serializations?.some(({ type }) => type === 'ifStatement')) return found;
  const rules = [...before, rule].flatMap((one) => {
    const parsed = mappingRuleSchema.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
  const planned = planMapping({ rules }).rules.at(-1);
  for (const [index, step] of (planned?.steps ?? []).entries()) {
    if (step.filter) found.set(index, filterToSentence(step.filter));
  }
  return found;
}

function OriginPicker({ rule, columns }: { rule: RawRule; columns: readonly SheetColumn[] }) {
  const value = textOf(rule.originCol);
  const known = columns.find(({ header }) => header === value);
  return (
    <Labelled
      id="originCol"
      label="Column of the tape"
      hint={
        known && known.examples.length > 0
          ? `for example ${known.examples.map((example) => `"${example.slice(0, 40)}"`).join(', ')}`
          : value === ''
            ? 'computed by its steps from other columns or constants'
            : undefined
      }
    >
      <select id="originCol" name="originCol" defaultValue={value} className={inputClass()}>
        <option value="">Computed (no column)</option>
        {value !== '' && !known ? <option value={value}>{value} (not in this file)</option> : null}
        {[...new Set(columns.map(({ header }) => header))]
          .filter((header) => header.trim() !== '')
          .map((header) => (
            <option key={header} value={header}>
              {header}
            </option>
          ))}
      </select>
    </Labelled>
  );
}

function TargetPicker({
  rule,
  taken,
  problems,
}: {
  rule: RawRule;
  taken: ReadonlyMap<string, number>;
  problems: readonly DraftProblem[];
}) {
  const hydrated = useHydrated();
  const [value, setValue] = useState(targetChoice(rule));
  const [query, setQuery] = useState('');
  const words = query.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const groups = TARGET_GROUPS.map(({ label, fields }) => ({
    label,
    fields: fields.filter(({ path, label: name }) => path === value || matches(`${label} ${name} ${path}`)),
  })).filter(({ fields }) => fields.length > 0);
  const chooseFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const first = groups.flatMap(({ fields }) => fields).find(({ path }) => path !== value);
    if (first && words.length > 0) setValue(first.path);
  };
  const isCustom = value === CUSTOM_TARGET;
  return (
    <div className="min-w-0">
      <div className="flex items-end gap-2">
        <Labelled id="targetCol" label="Field of the asset" className="min-w-0 flex-1">
          <select
            id="targetCol"
            name="targetCol"
            value={value}
            onChange={(event) => setValue(event.target.value)}
            aria-invalid={problems.length > 0 || undefined}
            className={inputClass()}
          >
            <option value="">Choose a field</option>
            {groups.map(({ label, fields }) => (
              <optgroup key={label} label={label}>
                {fields.map((field) => {
                  const by = taken.get(field.path);
                  return (
                    <option key={field.path} value={field.path}>
                      {field.label}
                      {by === undefined ? '' : ` (rule ${by + 1})`}
                    </option>
                  );
                })}
              </optgroup>
            ))}
            <optgroup label="Other">
              <option value={CUSTOM_TARGET}>Custom field</option>
            </optgroup>
          </select>
        </Labelled>
        {hydrated ? (
          <div className="w-32 flex-none">
            <input
              type="search"
              aria-label="Find a field"
              placeholder="Find a field"
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              onKeyDown={chooseFirst}
              className={inputClass()}
            />
          </div>
        ) : null}
      </div>
      {isCustom || !hydrated ? (
        <Labelled id="customCol" label="Custom field name" className="mt-2" optional={!isCustom}>
          <input
            id="customCol"
            name="customCol"
            defaultValue={targetChoice(rule) === CUSTOM_TARGET ? textOf(rule.targetCol) : ''}
            className={inputClass()}
          />
        </Labelled>
      ) : null}
      {value !== '' && !isCustom ? (
        <p className="mt-1 text-xs text-ink-3">
          <span className="font-mono">{value}</span>,{' '}
          {codeLabel(TARGET_FIELDS.find(({ path }) => path === value)?.kind ?? '').toLowerCase()}
        </p>
      ) : null}
      <Problems problems={problems} />
    </div>
  );
}

/** The open rule with all its fields, each error at the field that it belongs to. */
export function RuleForm({
  rule,
  index,
  before,
  columns,
  taken,
  problems,
}: {
  rule: RawRule;
  index: number;
  /** The rules that run before this one. */
  before: readonly RawRule[];
  columns: readonly SheetColumn[];
  /** Fields that rules already make, mapped to their rule. */
  taken: ReadonlyMap<string, number>;
  problems: readonly DraftProblem[];
}) {
  const at = (...path: (string | number)[]) =>
    problems.filter((problem) => path.every((part, i) => problem.path[i + 2] === part));
  const steps = (rule.serializations ?? []) as RawStep[];
  const validations = rule.validations ?? [];
  const checks = (rule.checks ?? []).map(String);
  const conditions = conditionsOf(rule, before);
  const wholeSteps = problems.filter(({ path }) => path[2] === 'serializations' && typeof path[3] !== 'number');
  const target = targetChoice(rule);
  const values = columns.find(({ header }) => header === rule.originCol)?.examples ?? [];
  return (
    <div className="flex flex-col gap-4 border-t border-line bg-canvas px-4 py-4">
      <input type="hidden" name="ruleShown" value={index} />
      <div className="grid gap-4 sm:grid-cols-2">
        <OriginPicker rule={rule} columns={columns} />
        <TargetPicker rule={rule} taken={taken} problems={at('targetCol')} />
      </div>

      <div>
        <div className="mb-1.5 flex flex-wrap items-baseline gap-2">
          <h3 className="text-xs font-medium text-ink-2">Steps, applied in order</h3>
          {target !== '' && target !== CUSTOM_TARGET ? (
            <button type="submit" name="edit" value="usual" className="text-xs font-medium text-accent hover:underline">
              Use default steps for this field
            </button>
          ) : null}
        </div>
        <ol className="flex flex-col gap-1.5">
          {steps.map((step, place) => (
            <StepForm
              // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity other than their place
              key={place}
              step={step}
              index={place}
              count={steps.length}
              problems={at('serializations', place)}
              reads={conditions.get(place) ?? null}
              values={values}
            />
          ))}
        </ol>
        <Problems problems={wholeSteps} />
        <div className="mt-2 flex gap-2">
          <select name="newStep" aria-label="Step to add" defaultValue="text" className={inputClass('max-w-52')}>
            {STEP_GROUPS.map((group) => (
              <optgroup key={group} label={group}>
                {STEP_TYPES.filter((type) => STEP_FORMS[type].group === group).map((type) => (
                  <option key={type} value={type}>
                    {STEP_FORMS[type].label}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
          <Button type="submit" name="edit" value="step-add">
            Add step
          </Button>
        </div>
      </div>

      <fieldset>
        <legend className="mb-1.5 text-xs font-medium text-ink-2">Checks</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1.5 text-sm">
          {CHECKS.map((check) => (
            <label key={check} className="flex items-center gap-1.5" title={CHECK_WORDS[check]}>
              <input
                type="checkbox"
                name="checks"
                value={check}
                defaultChecked={checks.includes(check)}
                className="size-4 accent-accent"
              />
              {check}
            </label>
          ))}
          <label className="flex items-center gap-1.5" title="as a custom text field named after the column header">
            <input
              type="checkbox"
              name="remainOriginCol"
              defaultChecked={rule.remainOriginCol === true}
              className="size-4 accent-accent"
            />
            Keep the source cell
          </label>
        </div>
        <Labelled id="onUnreadable" label="A cell that cannot be read" className="mt-3 max-w-80" hint={UNREADABLE_HINT}>
          <Select
            id="onUnreadable"
            name="onUnreadable"
            defaultValue={textOf(rule.onUnreadable) || 'error'}
            choices={choicesOf(ON_UNREADABLE_LABELS)}
          />
        </Labelled>
        {checks.includes('Unique') ? (
          <Labelled id="onDuplicate" label="A value that an earlier row has" className="mt-3 max-w-80">
            <Select
              id="onDuplicate"
              name="onDuplicate"
              defaultValue={textOf(rule.onDuplicate) || 'error'}
              choices={choicesOf(ON_DUPLICATE_LABELS)}
            />
          </Labelled>
        ) : null}
        {CONSISTENT_PATHS.includes(target) || !checks.includes('Consistent') ? null : (
          <p className="mt-1 text-xs text-ink-3">
            Consistent applies to origination date, term, currency, original principal and maturity date.
          </p>
        )}
        <Problems problems={[...at('checks'), ...at('remainOriginCol'), ...at('onUnreadable'), ...at('onDuplicate')]} />
      </fieldset>

      <div>
        <h3 className="mb-1.5 text-xs font-medium text-ink-2">Validations</h3>
        <ul className="flex flex-col gap-1.5">
          {validations.map((validation, place) => {
            const kind = validation.kind as (typeof VALIDATION_KINDS)[number];
            const takesValue = kind !== 'mustBeTrue' && kind !== 'mustBeFalse';
            const name = validationFieldName(place);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: validations have no identity other than their place
              <li key={place}>
                <div className="flex items-center gap-2 text-sm">
                  <label htmlFor={name} className="w-44 flex-none">
                    {VALIDATION_WORDS[kind] ?? String(kind)}
                  </label>
                  {takesValue ? (
                    <input
                      id={name}
                      name={name}
                      type={kind === 'minDate' || kind === 'maxDate' ? 'date' : 'text'}
                      defaultValue={validation.value === undefined ? '' : String(validation.value)}
                      className={inputClass('max-w-48')}
                    />
                  ) : null}
                  <EditButton
                    edit={`validation-drop:${place}`}
                    label={`Remove the validation ${VALIDATION_WORDS[kind] ?? kind}`}
                  >
                    <X size={14} />
                  </EditButton>
                </div>
                <Problems problems={at('validations', place)} />
              </li>
            );
          })}
        </ul>
        <div className="mt-1.5 flex gap-2">
          <Select
            name="newValidation"
            aria-label="Validation to add"
            className="max-w-52"
            choices={VALIDATION_KINDS.map((kind) => ({ value: kind, label: VALIDATION_WORDS[kind] }))}
          />
          <Button type="submit" name="edit" value="validation-add">
            Add validation
          </Button>
        </div>
      </div>
    </div>
  );
}
