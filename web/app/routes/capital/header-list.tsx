import { Link } from '@remix-run/react';
import type { ComponentProps } from 'react';
import { formatCount } from '../../components/figures/format.ts';
import { FilterBar } from '../../components/filters/filter-bar.tsx';
import { ListSearch } from '../../components/filters/list-search.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { AssetGrid } from '../../components/grid/asset-grid.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { HEADER_SORT } from './header-rows.ts';
import { OwnDocuments } from './own-documents.tsx';

type Grid = ComponentProps<typeof AssetGrid>;

interface Listed {
  readonly own: Pick<ComponentProps<typeof OwnDocuments>, 'rows' | 'total'> | null;
  readonly mayWrite: boolean;
  readonly found:
    | (Pick<Grid, 'rows' | 'total' | 'totals' | 'filter'> &
        Pick<ComponentProps<typeof ListSearch>, 'find'> &
        ComponentProps<typeof FilterBar> & { readonly problem: string | null })
    | null;
}

/**
 * The list of calls or distributions.
 * @param noun one of them in a sentence: "call"
 * @param plural several of them as a title
 */
export function HeaderList({
  page: { own, found, mayWrite },
  noun,
  plural,
  ownAmount,
  create,
  about,
  listTo,
  ...grid
}: Pick<Grid, 'id' | 'columns' | 'rowTo'> & {
  page: Listed;
  noun: string;
  plural: string;
  /** The heading of an investor's amounts. */
  ownAmount: string;
  create: { readonly label: string; readonly to: string };
  /** What such a document is, where there is none. */
  about: string;
  /** The page, and where its rows are read. */
  listTo: { readonly page: string; readonly rows: string };
}) {
  if (own) {
    return (
      <>
        <PageHeader title={plural} facts={[`${formatCount(own.total, noun)} issued to you`]} />
        <OwnDocuments {...own} noun={plural.toLowerCase()} amount={ownAmount} />
      </>
    );
  }
  if (!found) return null;
  const { rows, total, totals, find, filter, chips, fields, draft, problem } = found;
  return (
    <>
      <PageHeader
        title={plural}
        facts={[formatCount(total, noun), 'totals in the currency of the fund']}
        actions={
          mayWrite ? (
            <LinkButton to={create.to} tone="primary">
              {create.label}
            </LinkButton>
          ) : null
        }
      />
      {problem ? (
        <Notice tone="danger" action={<Link to={listTo.page}>Show all {noun}s</Link>}>
          This filter is not valid: it {problem}. All {noun}s are shown.
        </Notice>
      ) : null}
      <AssetGrid
        {...grid}
        source={{ list: listTo.rows, scope: {}, format: 'json' }}
        rows={rows}
        total={total}
        totals={totals}
        filter={filter}
        tools={
          <>
            <ListSearch find={find} label={`Find ${noun}s by number or fund`} placeholder={`Find a ${noun}`} />
            <FilterBar chips={chips} fields={fields} draft={draft} />
          </>
        }
        defaultSort={HEADER_SORT}
        noun={`${noun}s`}
        empty={filter ? 'Remove a filter, or search for something else.' : about}
      />
    </>
  );
}
