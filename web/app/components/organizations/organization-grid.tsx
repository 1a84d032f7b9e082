import { Form, useSearchParams } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Button } from '../forms/button.tsx';
import { inputClass } from '../forms/fields.tsx';
import { AssetGrid } from '../grid/asset-grid.tsx';
import type { GridColumn } from '../grid/grid-columns.ts';
import type { FirstRows } from './organization-list.ts';

/** The form that narrows a list through its address. */
function ListSearch({
  find,
  status,
  noun,
  more,
}: {
  find: string;
  status: string | null;
  noun: string;
  more?: ReactNode;
}) {
  const [search] = useSearchParams();
  const sort = search.get('sort');
  return (
    <Form
      method="get"
      preventScrollReset
      className="flex min-w-0 flex-1 items-center gap-2 max-sm:basis-full max-sm:flex-wrap sm:max-w-[46rem]"
      onChange={(event) => {
        if ((event.target as EventTarget) instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
      }}
    >
      {sort ? <input type="hidden" name="sort" value={sort} /> : null}
      <input
        type="search"
        name="find"
        key={find}
        defaultValue={find}
        maxLength={200}
        aria-label={`Find ${noun} by name`}
        placeholder="Find by name"
        className={inputClass('sm:max-w-48')}
      />
      <select
        name="status"
        key={status}
        defaultValue={status ?? ''}
        aria-label="Status"
        className={inputClass('max-sm:w-auto max-sm:flex-1 sm:max-w-36')}
      >
        <option value="">Any status</option>
        <option>Active</option>
        <option>Disabled</option>
      </select>
      {more}
      <Button type="submit">Find</Button>
    </Form>
  );
}

/** A list of organizations, found by name and status. @param more further selects of the search */
export function OrganizationGrid({
  id,
  list,
  columns,
  noun,
  found,
  rowTo,
  empty,
  more,
}: {
  id: string;
  /** The list's address: `/crud/companies`. */
  list: string;
  columns: readonly GridColumn[];
  noun: string;
  found: FirstRows;
  rowTo: (id: string) => string;
  empty: ReactNode;
  more?: ReactNode;
}) {
  const { rows, total, filter, find, status, parameters, nameField } = found;
  return (
    <AssetGrid
      id={id}
      source={{ list, scope: {}, parameters, format: 'json' }}
      columns={columns}
      rows={rows}
      total={total}
      filter={filter}
      tools={<ListSearch find={find} status={status} noun={noun} more={more} />}
      defaultSort={{ [nameField]: 1 }}
      rowTo={(row) => rowTo(String(row.id))}
      noun={noun}
      empty={filter ? 'Remove a filter, or search for another name.' : empty}
    />
  );
}
