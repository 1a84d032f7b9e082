import { Form } from '@remix-run/react';
import { paths } from '../../paths.ts';
import { formatCount, formatFigure } from '../figures/format.ts';
import { Button, LinkButton } from '../forms/button.tsx';
import { ACTION_BAR } from '../page/action-bar.tsx';
import { useHydrated } from '../use-hydrated.ts';
import type { GridRow } from './arrow-page.ts';
import type { GridSort } from './grid-columns.ts';
import { GRID_FORMATS, isExported, MAX_SELECTED } from './grid-export.ts';

/** A form that takes the chosen rows to another screen: `?<name>=<id>` for each. */
export interface RowChoice {
  to: string;
  name: string;
  /** The most rows that the screen takes. */
  most: number;
  /** The button's label, by the number of chosen rows. Without scripts, the number is not known and is zero. */
  label: (chosen: number) => string;
  /** How a row's checkbox is called: "Select Mara Holt". */
  rowLabel: (row: GridRow) => string;
}

/** The name of the selected rows in the addresses of forms, unless the grid's own form names them otherwise. */
export const ROW_ID = 'id';

/**
 * What can be done with the selected rows: a file of them, or the list's own form. A bar under the list that stays in
 * view while it scrolls, and is there once something is selected. One form, so it works without JavaScript.
 * @param id of the form, which the checkboxes belong to
 */
export function ChosenRows({
  id,
  grid,
  choice,
  chosen,
  columns,
  sort,
  onClear,
}: {
  id: string;
  grid: string;
  choice: RowChoice | undefined;
  chosen: readonly string[];
  columns: readonly string[];
  sort: GridSort;
  onClear: () => void;
}) {
  const hydrated = useHydrated();
  const hasFile = isExported(grid);
  const most = Math.min(hasFile ? MAX_SELECTED : Number.POSITIVE_INFINITY, choice?.most ?? Number.POSITIVE_INFINITY);
  const isTooMany = chosen.length > most;
  const fileOf = (format: string): string => {
    const search = new URLSearchParams(chosen.slice(0, MAX_SELECTED).map((one) => [ROW_ID, one]));
    search.set('format', format);
    search.set('columns', columns.join(','));
    if (Object.keys(sort).length > 0) search.set('sort', JSON.stringify(sort));
    return `${paths.gridExport(grid)}?${search}`;
  };
  if (hydrated && chosen.length === 0) return null;
  return (
    <Form
      method="get"
      action={choice?.to ?? paths.gridExport(grid)}
      id={id}
      aria-label="Selected rows"
      className={ACTION_BAR}
      reloadDocument={!choice}
    >
      {hydrated ? <span className="figures font-medium">{formatFigure(chosen.length)} selected</span> : null}
      {chosen.map((one) => (
        <input key={one} type="hidden" name={choice?.name ?? ROW_ID} value={one} />
      ))}
      {choice ? (
        <Button type="submit" disabled={isTooMany}>
          {choice.label(chosen.length)}
        </Button>
      ) : null}
      {hasFile && !choice && !isTooMany ? (
        <>
          <input type="hidden" name="columns" value={columns.join(',')} />
          {Object.keys(sort).length > 0 ? <input type="hidden" name="sort" value={JSON.stringify(sort)} /> : null}
          {Object.entries(GRID_FORMATS).map(([format, label]) =>
            hydrated ? (
              <LinkButton key={format} external to={fileOf(format)}>
                Export {formatFigure(chosen.length)} to {label}
              </LinkButton>
            ) : (
              <Button key={format} type="submit" name="format" value={format}>
                Export selected to {label}
              </Button>
            ),
          )}
        </>
      ) : null}
      {hydrated ? (
        <Button tone="quiet" onClick={onClear}>
          Clear
        </Button>
      ) : null}
      <span role="status" className="text-xs text-danger">
        {isTooMany ? `Select at most ${formatCount(most, 'row')} at once.` : ''}
      </span>
    </Form>
  );
}
