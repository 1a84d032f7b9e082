import { Form, Link, useSearchParams } from '@remix-run/react';
import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import { byStatusGroup, statusGroupOf } from '@tapeline/domain/documents/document.schema.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { operatorChoices } from '@tapeline/domain/filters/operator-choices.ts';
import { operatorsFor } from '@tapeline/domain/filters/operators.ts';
import { ListFilter, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { classNames } from '../class-names.ts';
import { Button } from '../forms/button.tsx';
import { inputClass, Select } from '../forms/fields.tsx';
import { DROP_DOWN, DROP_DOWN_PANEL } from '../overlays/drop-down.ts';
import { useDropDown } from '../overlays/use-drop-down.ts';
import { useHydrated } from '../use-hydrated.ts';
import { DRAFT_NAMES, JOINS_ALL } from './draft-names.ts';
import type { FilterChip, FilterDraft } from './filter-view.ts';

/**
 * Without JavaScript the field is not known yet, so every operator is offered. An operator that does not fit the field
 * is refused with a message.
 */
const EVERY_OPERATOR = operatorChoices({ path: '', label: '', type: 'text' });

const VALUE_HINT =
  'Separate multiple values with commas. Write dates as YYYY-MM-DD. {Field} compares with another field.';

const sentenceOf = (chip: FilterChip): string => chip.phrases.map((phrase) => phrase.text).join('');

/** The address without a condition, from its first row on. @param filter what is left of the filter */
function addressWithout(search: URLSearchParams, name: string, filter = ''): string {
  const without = new URLSearchParams(search);
  for (const each of [...DRAFT_NAMES, name]) without.delete(each);
  if (filter) without.set('filter', filter);
  return `?${without}`;
}

function Chip({ phrases, to }: { phrases: FilterChip['phrases']; to: string }) {
  const said = phrases.map(({ text }) => text).join('');
  return (
    <li className="inline-flex min-h-[26px] max-sm:min-h-10 max-w-full items-center gap-1 rounded-full border border-line-strong py-0.5 pr-1 pl-2.5 text-xs">
      <span className="min-w-0 break-words">
        {phrases.map((phrase, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the order of the phrases never changes
            key={index}
            className={phrase.kind === 'word' ? 'text-ink-3' : 'font-medium text-ink'}
          >
            {phrase.text}
          </span>
        ))}
      </span>
      <Link
        to={to}
        preventScrollReset
        aria-label={`Remove filter: ${said}`}
        className="inline-grid size-[18px] max-sm:size-9 flex-none place-items-center rounded-full text-ink-3 hover:bg-hover hover:text-ink"
      >
        <X aria-hidden="true" size={12} />
      </Link>
    </li>
  );
}

/** A status with its group: "Active (positive)". */
const statusWords = (status: string): string => {
  const group = statusGroupOf(status);
  return group ? `${codeLabel(status)} (${group})` : codeLabel(status);
};

function ConditionForm({ chips, fields: all, draft, hasCutOff }: FilterBarProps) {
  const fields = all.filter(({ isId }) => !isId);
  const id = useId();
  const hydrated = useHydrated();
  const [search] = useSearchParams();
  const [path, setPath] = useState(draft?.field ?? fields[0]?.path ?? '');
  const field = fields.find((one) => one.path === path);
  const choices = hydrated && field ? operatorChoices(field) : EVERY_OPERATOR;
  const kept = [...search].filter(([name]) => !DRAFT_NAMES.includes(name));
  return (
    <Form method="get" preventScrollReset className="flex flex-col gap-2.5">
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label className="text-xs font-medium text-ink-2" htmlFor={`${id}-field`}>
        Field
        <Select
          id={`${id}-field`}
          name="field"
          value={path}
          onChange={(event) => setPath(event.target.value)}
          className="mt-1 font-normal"
          choices={fields.map((one) => ({ value: one.path, label: one.label }))}
        />
      </label>
      <label className="text-xs font-medium text-ink-2" htmlFor={`${id}-operator`}>
        Operator
        <Select
          id={`${id}-operator`}
          name="operator"
          key={field?.type}
          defaultValue={
            draft && field && operatorsFor(field.type).includes(draft.operator as never) ? draft.operator : 'eq'
          }
          className="mt-1 font-normal"
          choices={choices.map((choice) => ({
            value: choice.operator,
            label: `${choice.words}${choice.operator === 'in' ? ' (one of)' : ''}`,
          }))}
        />
      </label>
      <label className="text-xs font-medium text-ink-2" htmlFor={`${id}-value`}>
        Value{field?.unit ? ` (${field.unit})` : ''}
        <input
          id={`${id}-value`}
          name="value"
          defaultValue={draft?.value ?? ''}
          list={field?.values ? `${id}-values` : undefined}
          autoComplete="off"
          aria-describedby={`${id}-hint`}
          aria-invalid={draft ? true : undefined}
          className={inputClass('mt-1 font-normal')}
        />
      </label>
      {field?.values ? (
        <datalist id={`${id}-values`}>
          {(field.path === 'status' ? byStatusGroup(field.values) : field.values).map((value) => (
            <option key={value} value={value}>
              {field.path === 'status' ? statusWords(value) : codeLabel(value)}
            </option>
          ))}
        </datalist>
      ) : null}
      <p
        id={`${id}-hint`}
        role={draft ? 'alert' : undefined}
        className={classNames('text-xs', draft ? 'text-danger' : 'text-ink-3')}
      >
        {draft ? draft.problem : VALUE_HINT}
        {hasCutOff && !draft ? ' cutOff - 90d is a date before the cut-off date.' : null}
      </p>
      {chips.length > 0 ? (
        <label className="text-xs font-medium text-ink-2" htmlFor={`${id}-joins`}>
          Match
          <Select
            id={`${id}-joins`}
            name="joins"
            defaultValue={draft?.joins ?? ''}
            className="mt-1 font-normal"
            choices={[
              { value: '', label: 'this and the other filters' },
              ...(chips.length > 1 ? [{ value: JOINS_ALL, label: 'this or all other filters' }] : []),
              ...chips.map((chip, index) => ({ value: String(index), label: `this or: ${sentenceOf(chip)}` })),
            ]}
          />
        </label>
      ) : null}
      <Button type="submit" tone="primary">
        Apply filter
      </Button>
    </Form>
  );
}

/** Conditions that a list offers as choices of their own, each a parameter of the address. */
export interface QuickFilters {
  /** A GET form that sends itself when something is chosen. */
  readonly form: ReactNode;
  /** What is chosen, by its parameter. */
  readonly set: readonly { readonly name: string; readonly label: string; readonly value: string }[];
}

interface FilterBarProps {
  readonly chips: readonly FilterChip[];
  /** The fields that make sense for this list. None for a list that has quick filters only. */
  readonly fields: readonly Field[];
  readonly draft: FilterDraft | null;
  /** Whether the rows have a cut-off date. */
  readonly hasCutOff?: boolean;
  readonly quick?: QuickFilters | undefined;
}

/**
 * The filter of a list: one button that opens its conditions, and what is set as chips that read as sentences, each with
 * a remove link. It uses only links and GET forms over the address, so it works without JavaScript.
 */
export function FilterBar(props: FilterBarProps) {
  const { chips, fields, draft, quick } = props;
  const [search] = useSearchParams();
  const details = useDropDown();
  const count = chips.length + (quick?.set.length ?? 0);
  return (
    <>
      <details ref={details} className={DROP_DOWN} open={draft !== null} key={search.get('filter') ?? ''}>
        <summary className="flex h-8 max-sm:h-10 items-center gap-1.5 rounded-md border border-line-strong bg-paper px-3 text-sm font-medium hover:bg-hover">
          <ListFilter aria-hidden="true" size={15} strokeWidth={1.75} /> Filter
          {count > 0 ? (
            <span className="figures min-w-5 rounded-full bg-accent-soft px-1.5 text-center text-xs text-accent">
              {count}
              <span className="sr-only"> set</span>
            </span>
          ) : null}
        </summary>
        <div className={classNames(DROP_DOWN_PANEL, 'left-0 flex w-80 flex-col gap-3 p-3')}>
          {quick?.form}
          {fields.length > 0 ? (
            <div className={quick ? 'border-t border-line pt-3' : undefined}>
              <ConditionForm {...props} />
            </div>
          ) : null}
        </div>
      </details>
      {count > 0 ? (
        <ul aria-label="Filters" className="flex min-w-0 flex-wrap gap-2">
          {quick?.set.map(({ name, label, value }) => (
            <Chip
              key={name}
              phrases={[
                { text: `${label}: `, kind: 'word' },
                { text: value, kind: 'value' },
              ]}
              to={addressWithout(search, name)}
            />
          ))}
          {chips.map((chip) => (
            <Chip key={sentenceOf(chip)} phrases={chip.phrases} to={addressWithout(search, 'filter', chip.without)} />
          ))}
        </ul>
      ) : null}
    </>
  );
}
