import type { ComponentProps } from 'react';
import { formatCount } from '../../components/figures/format.ts';
import { FilteredGrid } from '../../components/filters/filtered-grid.tsx';
import type { FilteredPage } from '../../components/filters/filtered-list.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { paths } from '../../paths.ts';
import { HEADER_SORT } from './header-rows.ts';
import { OwnDocuments } from './own-documents.tsx';

interface Listed {
  readonly own: Pick<ComponentProps<typeof OwnDocuments>, 'rows' | 'total'> | null;
  /** Whether an investor may export its payments. */
  readonly withCashFlows: boolean;
  readonly mayWrite: boolean;
  readonly found: FilteredPage | null;
}

/**
 * The list of calls or distributions.
 * @param noun one of them in a sentence: "call"
 */
export function HeaderList({
  page: { own, found, mayWrite, withCashFlows },
  noun,
  ownAmount,
  create,
  ...grid
}: Pick<ComponentProps<typeof FilteredGrid>, 'id' | 'title' | 'columns' | 'rowTo' | 'empty'> & {
  page: Listed;
  noun: string;
  /** The heading of an investor's amounts. */
  ownAmount: string;
  create: { readonly label: string; readonly to: string };
}) {
  if (own) {
    return (
      <>
        <PageHeader
          title={grid.title}
          facts={[`${formatCount(own.total, noun)} issued to you`]}
          actions={
            withCashFlows ? (
              <>
                <LinkButton external to={paths.cashFlows('xlsx')}>
                  All cash flows, Excel
                </LinkButton>
                <LinkButton external to={paths.cashFlows('csv')}>
                  All cash flows, CSV
                </LinkButton>
              </>
            ) : null
          }
        />
        <OwnDocuments {...own} noun={grid.title.toLowerCase()} amount={ownAmount} />
      </>
    );
  }
  return found ? (
    <FilteredGrid
      {...grid}
      page={found}
      noun={[noun, `${noun}s`]}
      facts={['totals in the currency of the fund']}
      primary={mayWrite ? create : null}
      search={{ label: `Find ${noun}s by number or fund`, placeholder: `Find a ${noun}` }}
      defaultSort={HEADER_SORT}
    />
  ) : null;
}
