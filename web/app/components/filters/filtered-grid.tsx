import { Link, useLocation } from '@remix-run/react';
import type { GridId } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import type { ComponentProps, ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { formatCount } from '../figures/format.ts';
import { DataGrid } from '../grid/data-grid.tsx';
import { Notice } from '../page/notice.tsx';
import { PageHeader } from '../page/page-header.tsx';
import { FilterBar, type QuickFilters } from './filter-bar.tsx';
import type { FilteredPage } from './filtered-list.ts';
import { ListSearch } from './list-search.tsx';

/** Why the filter of an address was not used. */
export function FilterProblem({ problem, noun, allTo }: { problem: string | null; noun: string; allTo: string }) {
  return problem ? (
    <Notice tone="danger" action={<Link to={allTo}>{`Show all ${noun}`}</Link>}>
      This filter is not valid: it {problem}. All {noun} are shown.
    </Notice>
  ) : null;
}

/**
 * The page of a list that is filtered and searched, with its header.
 * @param noun one and several of them in a sentence
 * @param counted what the header counts, if it says it in other words
 * @param quick conditions that it offers as choices
 * @param rowTo the address of a document by its id
 * @param empty where there is none; `unfound` where the filter finds none
 */
export function FilteredGrid({
  page: { rows, total, totals, find, filter, chips, fields, draft, problem },
  title,
  noun: [one, many],
  counted = [one, many],
  facts = [],
  primary,
  notice,
  search,
  quick,
  source,
  empty,
  unfound = 'Remove a filter, or search for something else.',
  rowTo,
  ...grid
}: Pick<ComponentProps<typeof DataGrid>, 'columns' | 'defaultSort' | 'choice' | 'parts'> &
  Pick<ComponentProps<typeof PageHeader>, 'facts' | 'primary'> & {
    page: FilteredPage;
    id: GridId;
    title: string;
    noun: readonly [one: string, many: string];
    counted?: readonly [one: string, many: string];
    notice?: ReactNode;
    /** What its search says; null if it has none. */
    search: { label: string; placeholder: string } | null;
    quick?: QuickFilters | undefined;
    /** Where the grid reads its rows, if a REST list has them as they are shown. */
    source?: string;
    empty: ReactNode;
    unfound?: ReactNode;
    rowTo: (id: string) => string;
  }) {
  const { pathname } = useLocation();
  return (
    <>
      <PageHeader title={title} facts={[formatCount(total, ...counted), ...facts]} primary={primary ?? null} />
      {notice}
      <FilterProblem problem={problem} noun={many} allTo={pathname} />
      <DataGrid
        {...grid}
        source={{ list: source ?? paths.gridRows(grid.id), scope: {}, format: 'json' }}
        rows={rows}
        total={total}
        totals={totals}
        filter={filter}
        tools={
          <>
            {search ? <ListSearch find={find} {...search} /> : null}
            <FilterBar chips={chips} fields={fields} draft={draft} quick={quick} />
          </>
        }
        rowTo={(row) => rowTo(String(row.id))}
        noun={many}
        empty={filter ? unfound : empty}
      />
    </>
  );
}
