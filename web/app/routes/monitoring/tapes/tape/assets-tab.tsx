import { useSearchParams } from '@remix-run/react';
import { formatFigure, formatTotal } from '../../../../components/figures/format.ts';
import { DRAFT_NAMES } from '../../../../components/filters/draft-names.ts';
import { FilterBar } from '../../../../components/filters/filter-bar.tsx';
import { FilterProblem } from '../../../../components/filters/filtered-grid.tsx';
import { DataGrid } from '../../../../components/grid/data-grid.tsx';
import { loadedPart, ShownPart } from '../../../../components/page/loaded-part.tsx';
import type { AssetsView } from '../tape-head.ts';
import { ExportMenu } from './export-menu.tsx';
import { ShownBase } from './shown-base.tsx';

const ASSET = loadedPart(() => import('./asset-panel.tsx').then((part) => part.AssetPanel));

/** The address with one asset opened next to the list, or with none. */
function withAsset(search: URLSearchParams, id: string | null): string {
  const next = new URLSearchParams(search);
  if (id) next.set('asset', id);
  else next.delete('asset');
  return `?${next}`;
}

/** The assets grid with its filter, and the asset that is opened next to it. */
export function AssetsTab({ tapeId, view }: { tapeId: string; view: AssetsView }) {
  const [search] = useSearchParams();
  const unfiltered = new URLSearchParams(search);
  for (const name of ['filter', ...DRAFT_NAMES]) unfiltered.delete(name);
  return (
    <>
      <FilterProblem problem={view.problem} noun="assets" allTo={`?${unfiltered}`} />
      <ShownBase bases={view.bases} />
      <DataGrid
        id="tape-assets"
        noun="assets"
        empty="Remove a filter, or choose another cut-off date."
        source={{
          list: '/crud/assets',
          format: 'arrow',
          scope: { loanTape: tapeId },
          parameters: view.bases.shown ? { borrowingBase: view.bases.shown.id } : {},
        }}
        columns={view.columns}
        rows={view.rows}
        total={view.total}
        filter={view.filter}
        tools={<FilterBar chips={view.chips} fields={view.fields} draft={view.draft} hasCutOff />}
        rowTo={(row) => withAsset(search, String(row.id))}
        summary={view.filter ? ` of ${formatTotal(view.all, 'assets')}` : null}
        actions={<ExportMenu tapeId={tapeId} filter={view.filter} borrowingBase={view.bases.shown?.id} />}
        totals={view.totals}
        covers={
          view.filter && view.total < view.all
            ? `${formatFigure(view.total)} of ${formatTotal(view.all, 'assets')}`
            : formatTotal(view.total, 'assets')
        }
      />
      {view.asset ? (
        <ShownPart
          of={ASSET}
          asset={view.asset}
          shownBase={view.bases.shown}
          corrections={view.corrections}
          closeTo={withAsset(search, null)}
        />
      ) : null}
    </>
  );
}
