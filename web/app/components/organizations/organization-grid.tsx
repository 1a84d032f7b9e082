import { Form, useSearchParams } from '@remix-run/react';
import type { GridId } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import type { ComponentProps, ReactNode } from 'react';
import { formatCount } from '../figures/format.ts';
import { FilterBar, type QuickFilters } from '../filters/filter-bar.tsx';
import { ListSearch } from '../filters/list-search.tsx';
import { Button } from '../forms/button.tsx';
import { inputClass } from '../forms/fields.tsx';
import { DataGrid } from '../grid/data-grid.tsx';
import { PageHeader } from '../page/page-header.tsx';
import type { FirstRows } from './organization-list.ts';

/** The conditions of such a list, sent when one is chosen. */
function Choices({ find, status, more }: { find: string; status: string | null; more?: ReactNode }) {
  const [search] = useSearchParams();
  const sort = search.get('sort');
  return (
    <Form
      method="get"
      preventScrollReset
      className="flex flex-col gap-2"
      onChange={(event) => {
        if ((event.target as EventTarget) instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
      }}
    >
      {sort ? <input type="hidden" name="sort" value={sort} /> : null}
      {find ? <input type="hidden" name="find" value={find} /> : null}
      <select name="status" key={status} defaultValue={status ?? ''} aria-label="Status" className={inputClass()}>
        <option value="">Any status</option>
        <option>Active</option>
        <option>Disabled</option>
      </select>
      {more}
      <noscript>
        <Button type="submit">Show</Button>
      </noscript>
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
  /** Further conditions: their selects, and what is set of them. */
  more?: { readonly selects: ReactNode; readonly set: QuickFilters['set'] };
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
      tools={
        <>
          <ListSearch find={find} label={`Find ${noun} by name`} placeholder="Find by name" />
          <FilterBar
            chips={[]}
            fields={[]}
            draft={null}
            quick={{
              form: <Choices find={find} status={status} more={more?.selects} />,
              set: [...(status ? [{ name: 'status', label: 'Status', value: status }] : []), ...(more?.set ?? [])],
            }}
          />
        </>
      }
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
