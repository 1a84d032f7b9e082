import { Form } from '@remix-run/react';
import { operationText } from '@tapeline/domain/history/action-sentence.ts';
import { HISTORY_OPERATIONS } from '@tapeline/domain/history/history.schema.ts';
import type { ReactNode } from 'react';
import { Button, LinkButton } from '../../components/forms/button.tsx';
import { type Choice, inputClass, Select } from '../../components/forms/fields.tsx';
import { paths } from '../../paths.ts';
import { isReversed, REVERSED_DATES } from './history-dates.ts';
import type { HistoryFilters } from './history-list.server.ts';

function Labelled({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div className="w-36 min-w-0 max-sm:w-auto">
      <label htmlFor={id} className="mb-1 block text-xs font-medium text-ink-2">
        {label}
      </label>
      {children}
    </div>
  );
}

function Choose({
  name,
  label,
  all,
  value,
  choices,
}: {
  name: keyof HistoryFilters;
  label: string;
  all: string;
  value: string;
  choices: readonly Choice[];
}) {
  return (
    <Labelled id={`history-${name}`} label={label}>
      <Select
        id={`history-${name}`}
        name={name}
        key={value}
        defaultValue={value}
        className="truncate"
        choices={choices}
        empty={all}
      />
    </Labelled>
  );
}

function Write({
  name,
  label,
  value,
  type = 'text',
  placeholder,
}: {
  name: keyof HistoryFilters;
  label: string;
  value: string;
  type?: 'text' | 'date';
  placeholder?: string;
}) {
  return (
    <Labelled id={`history-${name}`} label={label}>
      <input
        id={`history-${name}`}
        name={name}
        type={type}
        key={value}
        defaultValue={value}
        maxLength={100}
        placeholder={placeholder}
        className={inputClass()}
      />
    </Labelled>
  );
}

/** Narrows the history by who, what and when, through the address. */
export function HistoryFilterForm({
  filters,
  collections,
}: {
  filters: HistoryFilters;
  collections: readonly Choice[];
}) {
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return (
    <Form
      method="get"
      action={paths.history()}
      preventScrollReset
      aria-label="Filter the history"
      className="flex flex-wrap items-end gap-3 border-b border-line px-3 py-3 max-sm:grid max-sm:grid-cols-2"
    >
      {filters.by ? <input type="hidden" name="by" value={filters.by} /> : null}
      <Write name="who" label="Who" value={filters.who} placeholder="Name" />
      <Choose
        name="collection"
        label="Collection"
        all="All collections"
        value={filters.collection}
        choices={collections}
      />
      <Choose
        name="operation"
        label="Operation"
        all="All operations"
        value={filters.operation}
        choices={HISTORY_OPERATIONS.map((value) => ({ value, label: operationText(value) }))}
      />
      <Write name="field" label="Field" value={filters.field} placeholder="hardCap" />
      <Write name="from" label="From" type="date" value={filters.from} />
      <Write name="to" label="To" type="date" value={filters.to} />
      {isReversed(filters) ? (
        <p role="alert" className="w-full text-xs text-danger max-sm:col-span-2">
          {REVERSED_DATES}
        </p>
      ) : null}
      <span className="flex gap-2 max-sm:col-span-2">
        <Button type="submit">Apply</Button>
        {isFiltered ? (
          <LinkButton to={paths.history()} tone="quiet" preventScrollReset>
            Clear
          </LinkButton>
        ) : null}
      </span>
    </Form>
  );
}
