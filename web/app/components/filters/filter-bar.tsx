import { Form, Link, useSearchParams } from '@remix-run/react';
import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import { byStatusGroup, statusGroupOf } from '@tapeline/domain/documents/document.schema.ts';
import { operatorChoices } from '@tapeline/domain/filters/build.ts';
import type { Field } from '@tapeline/domain/filters/catalog.ts';
import { operatorsFor } from '@tapeline/domain/filters/operators.ts';
import { ListFilter, X } from 'lucide-react';
import { useId, useState } from 'react';
import { classNames } from '../class-names.ts';
import { Button } from '../forms/button.tsx';
import { inputClass, Select } from '../forms/fields.tsx';
import { DROP_DOWN, DROP_DOWN_PANEL } from '../overlays/drop-down.ts';
import { useHydrated } from '../use-hydrated.ts';
import { DRAFT_NAMES, type FilterChip, type FilterDraft, JOINS_ALL } from './filter-view.ts';

/**
 * Without JavaScript the field is not known yet, so every operator is offered. An operator that does not fit the field
 * is refused with a message.
 */
const EVERY_OPERATOR = operatorChoices({ path: '', label: '', type: 'text' });

const VALUE_HINT =
  'Separate multiple values with commas. Write dates as YYYY-MM-DD. {Field} compares with another field.';

const sentenceOf = (chip: FilterChip): string => chip.phrases.map((phrase) => phrase.text).join('');

function Chip({ chip, search }: { chip: FilterChip; search: URLSearchParams }) {
  const without = new URLSearchParams(search);
  for (const name of DRAFT_NAMES) without.delete(name);
  if (chip.without) without.set('filter', chip.without);
  else without.delete('filter');
  const said = sentenceOf(chip);
  return (
    <li className="inline-flex min-h-[26px] max-sm:min-h-10 max-w-full items-center gap-1 rounded-full border border-line-strong py-0.5 pr-1 pl-2.5 text-xs">
      <span className="min-w-0 break-words">
        {chip.phrases.map((phrase, index) => (
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
        to={`?${without}`}
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

function AddFilter({ chips, fields: all, draft, hasCutOff }: FilterBarProps) {
  const fields = all.filter(({ isId }) => !isId);
  const id = useId();
  const hydrated = useHydrated();
  const [search] = useSearchParams();
  const [path, setPath] = useState(draft?.field ?? fields[0]?.path ?? '');
  const field = fields.find((one) => one.path === path);
  const choices = hydrated && field ? operatorChoices(field) : EVERY_OPERATOR;
  const kept = [...search].filter(([name]) => !DRAFT_NAMES.includes(name));
  return (
    <details className={DROP_DOWN} open={draft !== null} key={search.get('filter') ?? ''}>
      <summary className="flex h-[26px] max-sm:h-10 items-center gap-1.5 rounded-full border border-dashed border-line-strong px-2.5 text-xs text-ink-2 hover:bg-hover">
        <ListFilter aria-hidden="true" size={13} strokeWidth={1.75} /> Add filter
      </summary>
      <Form
        method="get"
        preventScrollReset
        className={classNames(DROP_DOWN_PANEL, 'left-0 flex w-80 flex-col gap-2.5 p-3')}
      >
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
    </details>
  );
}

interface FilterBarProps {
  readonly chips: readonly FilterChip[];
  /** The fields that make sense for this list. */
  readonly fields: readonly Field[];
  readonly draft: FilterDraft | null;
  /** Whether the rows have a cut-off date. */
  readonly hasCutOff?: boolean;
}

/**
 * The conditions of a list as chips that read as sentences, each with a remove link, and a form to add one. It uses
 * only links and a GET form over the address's `filter`, so it works without JavaScript.
 */
export function FilterBar(props: FilterBarProps) {
  const { chips } = props;
  const [search] = useSearchParams();
  return (
    <>
      {chips.length > 0 ? (
        <ul aria-label="Filters" className="flex flex-wrap gap-2">
          {chips.map((chip) => (
            <Chip key={sentenceOf(chip)} chip={chip} search={search} />
          ))}
        </ul>
      ) : null}
      <AddFilter {...props} />
    </>
  );
}
