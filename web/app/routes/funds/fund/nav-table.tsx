import { Link, useSearchParams } from '@remix-run/react';
import type { CommitmentNavs } from '@tapeline/db/operations/capital/navs-by-quarter.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import { Name, Unknown } from '../../../components/figures/figures.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import type { FundTab } from './fund-page.server.ts';
import { quarterColumns } from './nav-quarters.tsx';
import { RecordedSection } from './recorded-section.tsx';
import { EARLIER_QUARTERS, NAV_VALUES, type NavValue, ROWS_PER_LIST, SHOWN_QUARTERS } from './tabs.ts';

/** Net or gross values. */
function ValueLinks({ current }: { current: NavValue }) {
  const [search] = useSearchParams();
  const to = (value: NavValue) => {
    const next = new URLSearchParams(search);
    if (value === 'net') next.delete('value');
    else next.set('value', value);
    return `?${next}`;
  };
  return (
    <span className="flex gap-3">
      {(Object.keys(NAV_VALUES) as NavValue[]).map((value) => (
        <Link
          key={value}
          to={to(value)}
          preventScrollReset
          aria-current={value === current ? 'true' : undefined}
          className={value === current ? 'tap-text font-medium text-ink' : 'tap-text text-ink-2 hover:text-accent'}
        >
          {NAV_VALUES[value]}
        </Link>
      ))}
    </span>
  );
}

/** The NAVs of a fund: investors down, quarters across, the latest first. */
export function NavTable({ page }: { page: FundTab<'navs'> }) {
  const { tab, id, currency, classes, mayWrite } = page;
  const { navs, value } = tab;
  const columns: Column<CommitmentNavs>[] = [
    {
      head: 'Investor',
      cell: ({ investor, Class }) => (
        <>
          {investor === null ? <Unknown /> : <Name length={32}>{investor}</Name>}
          {classes.length > 0 && Class !== null ? (
            <span className="block text-xs text-ink-3">{classNameOf(classes, Class)}</span>
          ) : null}
        </>
      ),
    },
    ...quarterColumns({ quarters: navs.quarters, value, mayWrite }),
  ];
  return (
    <RecordedSection
      title="Net asset values"
      noun={['NAV', 'NAVs']}
      note={
        <span className="flex flex-wrap gap-x-3">
          {currency}, by quarter, latest first <ValueLinks current={value} />
        </span>
      }
      mayWrite={mayWrite}
      hasRows={navs.rows.length > 0}
      addTo={paths.newNav({ fund: id })}
      editTo={paths.editNavs()}
    >
      <DataTable
        narrow="list"
        caption="Net asset values by quarter"
        rows={navs.rows}
        empty={<EmptyState title="No NAV yet">Multiples and returns are n/a until each investor has a NAV.</EmptyState>}
        columns={columns}
      />
      <Pagination total={navs.total} limit={ROWS_PER_LIST} noun="investors" />
      <Pagination total={navs.totalQuarters} limit={SHOWN_QUARTERS} noun="quarters" name={EARLIER_QUARTERS} />
    </RecordedSection>
  );
}
