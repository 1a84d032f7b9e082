import { Link, useSearchParams } from '@remix-run/react';
import { Money } from '../../components/figures/figures.tsx';
import { FilterBar } from '../../components/filters/filter-bar.tsx';
import { AssetGrid } from '../../components/grid/asset-grid.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { formatFigure } from '../../figures/format.ts';
import type { AssetsView } from '../../tapes/tape-head.ts';
import { AssetPanel } from './asset-panel.tsx';

/** The address with one asset opened beside the list, or none. */
function withAsset(search: URLSearchParams, id: string | null): string {
  const next = new URLSearchParams(search);
  if (id) next.set('asset', id);
  else next.delete('asset');
  return `?${next}`;
}

/** The assets grid with its filter, and the asset that is opened beside it. */
export function AssetsTab({ tapeId, view }: { tapeId: string; view: AssetsView }) {
  const [search] = useSearchParams();
  const unfiltered = new URLSearchParams(search);
  for (const name of ['filter', 'skip', 'field', 'operator', 'value']) unfiltered.delete(name);
  return (
    <>
      {view.fault ? (
        <Notice tone="danger" action={<Link to={`?${unfiltered}`}>Show all assets</Link>}>
          The filter of this address cannot be used: it {view.fault}. All assets are shown.
        </Notice>
      ) : null}
      <AssetGrid
        id="tape-assets"
        source={{ list: '/crud/assets', scope: { loanTape: tapeId } }}
        columns={view.columns}
        rows={view.rows}
        total={view.total}
        filter={view.filter}
        tools={<FilterBar chips={view.chips} fields={view.fields} draft={view.draft} />}
        rowTo={(row) => withAsset(search, String(row.id))}
        summary={
          view.outstanding ? (
            <>
              {' of '}
              {formatFigure(view.all)}
              {view.outstanding.map(({ currency, sum }) => (
                <span key={currency}>
                  {' · '}
                  <Money value={{ sum, currency }} withCurrency />
                </span>
              ))}
            </>
          ) : null
        }
      />
      {view.asset ? (
        <AssetPanel asset={view.asset} corrections={view.corrections} closeTo={withAsset(search, null)} />
      ) : null}
    </>
  );
}
