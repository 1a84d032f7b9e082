import type { PreviewedRow } from '@tapeline/workflows/corrections/preview.ts';
import { formatCount, formatFigure } from '../../../../components/figures/format.ts';
import { inputClass } from '../../../../components/forms/fields.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import type { CorrectCell } from '../correct-page.server.ts';
import { CellDetails, ResultingAsset, RowOutcome } from '../row-parts.tsx';

interface Row {
  row: number;
  cells: CorrectCell[];
  otherProblems: string[];
}

interface CellProps {
  row: number;
  /** Form field name, made of the places of the row and the cell. */
  name: string;
  cell: CorrectCell;
  /** The value entered before the round trip. Null if it was not sent. */
  entered: string | null;
  /** Errors of the last preview for this cell. Null if there was no preview. */
  reasons: string[] | null;
}

/** One cell of the row: its value as read, with the errors and the expected format below. */
function CellField({ row, name, cell, entered, reasons }: CellProps) {
  const id = `row-${row}-${name.replace(/\W+/g, '-')}`;
  const problems = reasons ?? cell.problems;
  const value = entered ?? cell.text;
  const hints = [problems.length > 0 ? `${id}-problem` : null, cell.expects ? `${id}-hint` : null].filter(Boolean);
  const shared = {
    id,
    name: `${name}.value`,
    'aria-invalid': problems.length > 0 || undefined,
    'aria-describedby': hints.join(' ') || undefined,
  };
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-xs font-medium break-words text-ink-2">
        {cell.header}
      </label>
      <input type="hidden" name={`${name}.header`} value={cell.header} />
      {value.includes('\n') ? (
        <textarea key={value} {...shared} defaultValue={value} rows={3} className={inputClass('h-auto py-1.5')} />
      ) : (
        <input
          key={value}
          {...shared}
          defaultValue={value}
          autoComplete="off"
          spellCheck={false}
          className={inputClass()}
        />
      )}
      {problems.length > 0 ? (
        <div id={`${id}-problem`} className="mt-1 text-xs break-words text-danger">
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      ) : null}
      {cell.expects ? (
        <p id={`${id}-hint`} className="mt-1 text-xs break-words text-ink-3">
          {cell.expects}
        </p>
      ) : null}
    </div>
  );
}

/**
 * An errored row as a form: the cells with errors first, then those that the mapping reads, then the rest. A borrower
 * can change only the first group.
 */
export function RowForm({
  row,
  index,
  entered,
  result,
}: {
  row: Row;
  index: number;
  entered: (header: string) => string | null;
  result: PreviewedRow | null;
}) {
  const headers = new Set(row.cells.flatMap(({ header, mayChange }) => (mayChange ? [header] : [])));
  const reasonsAt = (header: string) =>
    result ? result.errors.filter(({ column }) => column === header).map(({ reason }) => reason) : null;
  const others = result
    ? result.errors
        .filter(({ column }) => column === null || !headers.has(column))
        .map(({ target, reason }) => `${target}: ${reason}`)
    : row.otherProblems;
  const readOnly = row.cells.filter(({ mayChange }) => !mayChange);
  const isBorrowers = readOnly.length > 0;
  const placed = row.cells.filter(({ mayChange }) => mayChange).map((cell, place) => ({ cell, place }));
  const isInvalid = ({ cell }: (typeof placed)[number]) =>
    cell.problems.length > 0 || (reasonsAt(cell.header)?.length ?? 0) > 0 || isBorrowers;
  const isOpen = (each: (typeof placed)[number]) => !isInvalid(each) && each.cell.expects !== null;
  const field = ({ cell, place }: (typeof placed)[number]) => (
    <CellField
      key={cell.header}
      row={row.row}
      name={`rows[${index}].cells[${place}]`}
      cell={cell}
      entered={entered(cell.header)}
      reasons={reasonsAt(cell.header)}
    />
  );
  const invalid = placed.filter(isInvalid);
  const read = placed.filter(isOpen);
  const rest = placed.filter((each) => !isInvalid(each) && !isOpen(each));
  const grid = 'grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-x-5 gap-y-4';
  return (
    <Panel>
      <fieldset className="min-w-0">
        <legend className="sr-only">Sheet row {row.row}</legend>
        <input type="hidden" name={`rows[${index}].row`} value={row.row} />
        <div className="flex flex-wrap items-center gap-2.5 border-b border-line px-4 py-3">
          <h2 className="figures text-sm font-semibold">Row {formatFigure(row.row)}</h2>
          {result ? <RowOutcome errors={result.errors} /> : null}
          {others.map((problem) => (
            <p key={problem} className="w-full text-xs break-words text-danger">
              {problem}
            </p>
          ))}
        </div>
        {placed.length === 0 ? (
          <p className="px-4 py-4 text-sm text-ink-2">
            No single cell of this row has an error. Contact the manager, or correct the tape and upload it again.
          </p>
        ) : null}
        {invalid.length > 0 ? <div className={`${grid} px-4 py-4`}>{invalid.map(field)}</div> : null}
        {read.length > 0 ? (
          <details className="border-t border-line px-4 py-3 first:border-t-0" open={invalid.length === 0}>
            <summary className="text-xs font-medium text-accent hover:underline">
              {invalid.length > 0 ? 'Other cells' : 'Cells'} used by the mapping ({read.length})
            </summary>
            <div className={`${grid} mt-3 mb-1`}>{read.map(field)}</div>
          </details>
        ) : null}
        {rest.length > 0 ? (
          <details className="border-t border-line px-4 py-3">
            <summary className="text-xs font-medium text-accent hover:underline">
              Cells not used by the mapping ({rest.length})
            </summary>
            <div className={`${grid} mt-3 mb-1`}>{rest.map(field)}</div>
          </details>
        ) : null}
        {readOnly.length > 0 ? (
          <CellDetails
            summary={`Other cells in the row (${formatCount(readOnly.length, 'cell')}, as read)`}
            cells={readOnly.map(({ header, text }) => ({ name: header, text }))}
          />
        ) : null}
        {result ? <ResultingAsset result={result} /> : null}
      </fieldset>
    </Panel>
  );
}
