import { Form, useSearchParams } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Button } from '../forms/button.tsx';
import { inputClass } from '../forms/fields.tsx';
import { AssetGrid } from '../grid/asset-grid.tsx';
import type { GridColumn } from '../grid/grid-columns.ts';
import type { FirstRows } from './organization-list.ts';

const CREATED: GridColumn = { path: 'metadata.iat', label: 'Created', kind: 'date', shown: true, widthPx: 110 };
const STATUS: GridColumn = { path: 'status', label: 'Status', kind: 'status', shown: true, widthPx: 110 };
const CODE: GridColumn = { path: 'code', label: 'Code', kind: 'number', digits: 0, shown: false, widthPx: 80 };

/** The columns of companies, managers and investors, whose entity is embedded. */
export const PARTY_COLUMNS: readonly GridColumn[] = [
  { path: 'entity.name', label: 'Name', kind: 'text', shown: true, widthPx: 240 },
  { path: 'entity.formalId', label: 'Formal id', kind: 'code', shown: true, widthPx: 150 },
  { path: 'entity.nationality.country', label: 'Country', kind: 'country', shown: true },
  { path: 'entity.business.type', label: 'Type of business', kind: 'text', shown: true, sortable: false },
  { path: 'entity.category', label: 'Categories', kind: 'text', shown: false, sortable: false },
  { path: 'domains', label: 'Email domains', kind: 'text', shown: false, sortable: false },
  STATUS,
  CREATED,
  CODE,
];

export const LP_COLUMNS: readonly GridColumn[] = [
  { path: 'title', label: 'Title', kind: 'text', shown: true, widthPx: 220 },
  { path: 'group.title', label: 'Group', kind: 'text', shown: true },
  { path: 'entity.nationality.country', label: 'Country', kind: 'country', shown: true },
  { path: 'entity.business.type', label: 'Type of business', kind: 'text', shown: true, sortable: false },
  {
    path: 'lastVisitedStats.totalUsers',
    label: 'Users',
    kind: 'number',
    digits: 0,
    shown: true,
    sortable: false,
    widthPx: 80,
  },
  {
    path: 'lastVisitedStats.loggedInCount',
    label: 'Signed in',
    kind: 'number',
    digits: 0,
    shown: true,
    sortable: false,
    widthPx: 90,
  },
  { path: 'entity.name', label: 'Legal name', kind: 'text', shown: false },
  { path: 'entity.formalId', label: 'Formal id', kind: 'code', shown: false },
  STATUS,
  CREATED,
  CODE,
];

export const ENTITY_COLUMNS: readonly GridColumn[] = [
  { path: 'name', label: 'Name', kind: 'text', shown: true, widthPx: 240 },
  { path: 'formalId', label: 'Formal id', kind: 'code', shown: true, widthPx: 150 },
  { path: 'nationality.country', label: 'Country', kind: 'country', shown: true },
  { path: 'business.type', label: 'Type of business', kind: 'text', shown: true },
  { path: 'category', label: 'Categories', kind: 'text', shown: true, sortable: false },
  { path: 'description', label: 'Description', kind: 'text', shown: false },
  CREATED,
  CODE,
];

export const SERVICE_PROVIDER_COLUMNS: readonly GridColumn[] = [
  { path: 'title', label: 'Title', kind: 'text', shown: true, widthPx: 240 },
  { path: 'type', label: 'Type', kind: 'text', shown: true },
  { path: 'description', label: 'Description', kind: 'text', shown: true, sortable: false, widthPx: 320 },
  CREATED,
  CODE,
];

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
