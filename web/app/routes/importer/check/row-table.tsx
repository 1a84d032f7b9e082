import { Link } from '@remix-run/react';
import { Pencil, Trash2 } from 'lucide-react';
import { classNames } from '../../../components/class-names.ts';
import { formatFigure } from '../../../components/figures/format.ts';
import { inputClass } from '../../../components/forms/fields.tsx';
import { paths } from '../../../paths.ts';
import { cellField } from './check-form.ts';
import type { ShownCell, ShownProblem, ShownRow, View } from './check-page.server.ts';

interface ShownColumn {
  readonly key: string;
  readonly label: string;
  readonly index: number;
  readonly isNumber: boolean;
}

const LINK_BUTTON = 'inline-flex items-center font-medium text-accent hover:underline max-sm:min-h-8';

/** Stays at the right edge while the columns of a wide file scroll below it. */
const RESULT = 'sm:sticky sm:right-0 sm:w-72 sm:min-w-72 sm:bg-paper sm:shadow-[-1px_0_0_var(--line)]';

/** A cell as text, or as a field if it is to be corrected. */
function Cell({
  row,
  cell,
  column,
  isEditable,
  entered,
}: {
  row: ShownRow;
  cell: ShownCell;
  column: ShownColumn;
  isEditable: boolean;
  entered: unknown;
}) {
  const name = cellField(row.row, cell.index);
  const width = Math.min(28, Math.max(8, cell.text.length + 2, column.label.length));
  return (
    <td
      className={classNames(
        'px-2 py-1 align-top whitespace-nowrap max-sm:block max-sm:min-w-0 max-sm:p-0 max-sm:break-words max-sm:whitespace-normal',
        column.isNumber && 'sm:text-right',
      )}
    >
      <span aria-hidden="true" className="block text-2xs text-ink-3 sm:hidden">
        {column.label}
      </span>
      {isEditable ? (
        <input
          name={name}
          id={name}
          aria-label={`${column.label}, row ${row.row}`}
          aria-invalid={cell.isProblem ? true : undefined}
          defaultValue={typeof entered === 'string' ? entered : cell.text}
          placeholder={cell.isProblem ? 'empty' : undefined}
          maxLength={1_000}
          style={{ width: `${width}ch` }}
          className={inputClass(
            classNames(
              'h-7 min-w-20 px-1.5 max-sm:max-w-full',
              column.isNumber && 'figures sm:text-right',
              cell.isProblem && 'bg-danger-soft! text-danger',
            ),
          )}
        />
      ) : (
        <span className={classNames('leading-7', column.isNumber && 'figures')}>
          {cell.shown === '' ? <span className="text-ink-3">–</span> : cell.shown}
        </span>
      )}
      {cell.original === null ? null : (
        <span className="block text-xs text-ink-3">
          was <del>{cell.original === '' ? 'empty' : cell.original}</del>
        </span>
      )}
      {cell.title === null ? null : (
        <span className="block max-w-44 truncate text-left text-xs text-ink-3" title={cell.title}>
          {cell.title}
        </span>
      )}
    </td>
  );
}

function Problem({ row, problem }: { row: ShownRow; problem: ShownProblem }) {
  const { label, message, proposed } = problem;
  return (
    <li>
      {label ? <b className="font-semibold">{label}: </b> : null}
      {message}{' '}
      {proposed ? (
        <>
          <button
            type="submit"
            name="use"
            value={`${row.row}-${proposed.index}-${proposed.value}`}
            className={classNames(LINK_BUTTON, 'mr-2')}
          >
            {proposed.value === '' ? 'Leave it empty' : `Use ${proposed.value}`}
            {proposed.title === null ? null : ` ${proposed.title}`}
          </button>
          {proposed.rowCount > 1 ? (
            <button
              type="submit"
              name="useAll"
              value={`${row.row}-${proposed.index}-${proposed.value}`}
              className={LINK_BUTTON}
            >
              in all {formatFigure(proposed.rowCount)} rows
            </button>
          ) : null}
        </>
      ) : null}
    </li>
  );
}

const ICON_BUTTON =
  'grid size-7 flex-none place-items-center rounded-md text-ink-3 hover:bg-hover hover:text-ink max-sm:size-10';

function Outcome({ row, view, skip }: { row: ShownRow; view: View; skip: number }) {
  const button = (name: 'restore' | 'undo', label: string) => (
    <button type="submit" name={name} value={row.row} className={LINK_BUTTON} aria-label={`${label}, row ${row.row}`}>
      {label}
    </button>
  );
  if (row.isRemoved)
    return (
      <span className="flex gap-3 leading-7">
        <span className="text-ink-3">Removed by you.</span> {button('restore', 'Restore')}
      </span>
    );
  return (
    <span className="flex items-start justify-between gap-2">
      <span className="min-w-0">
        {row.problems.length > 0 ? (
          <ul className="py-1 leading-5">
            {row.problems.map((problem) => (
              <Problem key={`${problem.label} ${problem.message}`} row={row} problem={problem} />
            ))}
          </ul>
        ) : null}
        {row.isCorrected ? (
          <span className="flex flex-wrap gap-x-3 leading-7">
            <span className="inline-flex items-center gap-1 text-ink-3">
              <Pencil aria-hidden="true" size={12} /> Corrected by you.
            </span>
            {button('undo', 'Undo')}
          </span>
        ) : row.problems.length === 0 ? (
          <span className="leading-7 text-good">OK</span>
        ) : null}
      </span>
      <span className="flex flex-none">
        {row.isOpen ? null : (
          <Link
            to={`?${new URLSearchParams({ show: view, row: String(row.row), ...(skip > 0 ? { skip: String(skip) } : {}) })}`}
            preventScrollReset
            className={ICON_BUTTON}
            aria-label={`Edit row ${row.row}`}
            title="Edit row"
          >
            <Pencil aria-hidden="true" size={14} />
          </Link>
        )}
        <button
          type="submit"
          name="remove"
          value={row.row}
          className={ICON_BUTTON}
          aria-label={`Remove row ${row.row}`}
          title="Remove row"
        >
          <Trash2 aria-hidden="true" size={14} />
        </button>
      </span>
    </span>
  );
}

/** The rows of a file with every reason why they cannot be imported, and fields for the cells to correct. */
export function RowTable({
  columns,
  rows,
  view,
  skip,
  entered,
}: {
  columns: readonly ShownColumn[];
  rows: readonly ShownRow[];
  view: View;
  skip: number;
  /** Values of a form that was refused. */
  entered: Readonly<Record<string, unknown>>;
}) {
  const isEditable = (row: ShownRow, cell: ShownCell) => !row.isRemoved && (row.isOpen || cell.isProblem);
  const shown = rows.flatMap((row) =>
    row.cells.flatMap((cell) => (isEditable(row, cell) ? [`${row.row}-${cell.index}`] : [])),
  );
  return (
    <>
      <input type="hidden" name="shown" value={shown.join(' ')} />
      <section
        className="relative overflow-x-auto"
        aria-label="Rows, scrolls horizontally"
        data-file-columns=""
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
      >
        <table className="w-full border-collapse text-sm max-sm:block">
          <caption className="sr-only">Rows of the file</caption>
          <thead className="max-sm:sr-only">
            <tr className="border-b border-line text-left text-xs text-ink-3">
              <th scope="col" className="h-8 px-3 text-right font-medium">
                Row
              </th>
              {columns.map(({ key, label, isNumber }) => (
                <th
                  key={key}
                  scope="col"
                  className={classNames('px-2 font-medium whitespace-nowrap', isNumber && 'text-right')}
                >
                  {label}
                </th>
              ))}
              <th scope="col" className={classNames(RESULT, 'px-3 font-medium')}>
                Result
              </th>
            </tr>
          </thead>
          <tbody className="max-sm:block">
            {rows.map((row) => (
              <tr
                key={row.row}
                className={classNames(
                  'border-b border-line last:border-b-0 max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-4 max-sm:gap-y-1.5 max-sm:px-3 max-sm:py-2.5',
                  row.isOpen && 'bg-selected',
                  row.isRemoved && 'text-ink-3 line-through decoration-line-strong',
                )}
              >
                <th
                  scope="row"
                  className="figures px-3 py-1 text-right align-top leading-7 font-normal text-ink-3 max-sm:-order-2 max-sm:col-span-2 max-sm:p-0 max-sm:text-left max-sm:font-medium"
                >
                  <span className="sm:hidden">Row </span>
                  {row.row}
                  {row.source === null ? null : (
                    <span className="block text-2xs" title="The cell of the file">
                      {row.source}
                    </span>
                  )}
                </th>
                {row.cells.map((cell, at) => {
                  const column = columns[at];
                  return column ? (
                    <Cell
                      key={cell.index}
                      row={row}
                      cell={cell}
                      column={column}
                      isEditable={isEditable(row, cell)}
                      entered={entered[cellField(row.row, cell.index)]}
                    />
                  ) : null;
                })}
                <td
                  className={classNames(
                    RESULT,
                    'px-3 py-1 align-top text-xs no-underline max-sm:-order-1 max-sm:col-span-2 max-sm:p-0',
                    row.isOpen && 'sm:bg-selected',
                  )}
                >
                  <Outcome row={row} view={view} skip={skip} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

const VIEW_LABELS: Readonly<Record<View, string>> = {
  problems: 'With problems',
  corrected: 'Corrected',
  ok: 'OK',
  all: 'All',
};

/** Which rows are shown. */
export function ViewLinks({ id, view, counts }: { id: string; view: View; counts: Readonly<Record<View, number>> }) {
  return (
    <nav aria-label="Which rows" className="flex flex-wrap gap-2">
      {(Object.keys(VIEW_LABELS) as View[]).map((name) => (
        <Link
          key={name}
          to={paths.importCheck(id, { show: name })}
          preventScrollReset
          aria-current={name === view ? 'page' : undefined}
          className={classNames(
            'inline-flex h-[26px] items-center gap-1.5 rounded-full border px-2.5 text-xs max-sm:h-9',
            name === view ? 'border-accent bg-accent-soft font-semibold text-ink' : 'border-line-strong hover:bg-hover',
          )}
        >
          {VIEW_LABELS[name]} <span className="figures text-ink-3">{formatFigure(counts[name])}</span>
        </Link>
      ))}
    </nav>
  );
}
