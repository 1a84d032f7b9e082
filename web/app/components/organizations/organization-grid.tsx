import { Form, useSearchParams } from '@remix-run/react';
import type { GridId } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import type { ComponentProps, ReactNode } from 'react';
import { formatCount } from '../figures/format.ts';
import { Button } from '../forms/button.tsx';
import { inputClass } from '../forms/fields.tsx';
import { DataGrid } from '../grid/data-grid.tsx';
import { PageHeader } from '../page/page-header.tsx';
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

type Grid = Pick<ComponentProps<typeof DataGrid>, 'columns'> & {
  id: GridId;
  /** The address that the grid reads its rows from. */
  list: string;
  found: FirstRows;
  rowTo: (id: string) => string;
  empty: ReactNode;
  /** Further selects of the search. */
  more?: ReactNode;
};

/** A list of organizations, found by name and status. @param noun several of them: "companies" */
export function OrganizationGrid({
  noun,
  list,
  found: { rows, total, filter, find, status, parameters, sort },
  rowTo,
  empty,
  more,
  ...grid
}: Grid & { noun: string }) {
  return (
    <DataGrid
      {...grid}
      source={{ list, scope: {}, parameters, format: 'json' }}
      rows={rows}
      total={total}
      filter={filter}
      tools={<ListSearch find={find} status={status} noun={noun} more={more} />}
      defaultSort={sort}
      rowTo={(row) => rowTo(String(row.id))}
      noun={noun}
      empty={filter ? 'Remove a filter, or search for another name.' : empty}
    />
  );
}

/** The page of such a list. */
export function OrganizationList({
  title,
  noun: [one, many],
  facts = [],
  primary = null,
  ...grid
}: Grid &
  Pick<ComponentProps<typeof PageHeader>, 'facts' | 'primary'> & {
    title: string;
    noun: readonly [one: string, many: string];
  }) {
  return (
    <>
      <PageHeader title={title} facts={[formatCount(grid.found.total, one, many), ...facts]} primary={primary} />
      <OrganizationGrid {...grid} noun={many} />
    </>
  );
}
