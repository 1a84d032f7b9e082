import type { PreviewedRow } from '@tapeline/workflows/corrections/preview.ts';
import { inputClass } from '../../components/forms/fields.tsx';
import { Chip } from '../../components/page/chip.tsx';
import { Panel } from '../../components/page/section.tsx';
import { formatCount, formatFigure } from '../../figures/format.ts';
import type { CorrectCell } from '../../tapes/correct-page.server.ts';
import { shownAmount } from '../../tapes/correct-words.ts';

interface Row {
  row: number;
  cells: CorrectCell[];
  otherFaults: string[];
}

interface CellProps {
  row: number;
  /** Place of the row and of the cell in the form. */
  name: string;
  cell: CorrectCell;
  /** As written before the round trip; null where it was not sent. */
  entered: string | null;
  /** Reasons of the last preview at this cell; null where there was none. */
  reasons: string[] | null;
}

/** One cell of the row: what was read stands in it, what is wrong and what is expected below. */
function CellField({ row, name, cell, entered, reasons }: CellProps) {
  const id = `row-${row}-${name.replace(/\W+/g, '-')}`;
  const faults = reasons ?? cell.faults;
  const value = entered ?? cell.text;
  const hints = [faults.length > 0 ? `${id}-fault` : null, cell.expects ? `${id}-hint` : null].filter(Boolean);
  const shared = {
    id,
    name: `${name}.value`,
    'aria-invalid': faults.length > 0 || undefined,
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
      {faults.length > 0 ? (
        <div id={`${id}-fault`} className="mt-1 text-xs break-words text-danger">
          {faults.map((fault) => (
            <p key={fault}>{fault}</p>
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

/** What the row becomes by the last preview. */
function Result({ result }: { result: PreviewedRow }) {
  const made = result.cells.filter(({ value }) => value !== null);
  return result.errors.length === 0 ? (
    <details className="border-t border-line px-4 py-3 text-sm">
      <summary className="text-xs font-medium text-accent hover:underline">
        The asset that it becomes ({formatCount(made.length, 'value')})
      </summary>
      <dl className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-x-4 gap-y-2">
        {made.map(({ target, label, value }) => (
          <div key={target} className="min-w-0">
            <dt className="text-xs break-words text-ink-3">{label}</dt>
            <dd className="figures break-words">{shownAmount(value ?? '')}</dd>
          </div>
        ))}
      </dl>
    </details>
  ) : null;
}

/** An errored row as a form: the cells at fault first, then those that the mapping reads, then the rest. */
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
  const headers = new Set(row.cells.map(({ header }) => header));
  const reasonsAt = (header: string) =>
    result ? result.errors.filter(({ column }) => column === header).map(({ reason }) => reason) : null;
  const others = result
    ? result.errors
        .filter(({ column }) => column === null || !headers.has(column))
        .map(({ target, reason }) => `${target}: ${reason}`)
    : row.otherFaults;
  const placed = row.cells.map((cell, place) => ({ cell, place }));
  const isAtFault = ({ cell }: (typeof placed)[number]) =>
    cell.faults.length > 0 || (reasonsAt(cell.header)?.length ?? 0) > 0;
  const isOpen = (each: (typeof placed)[number]) => !isAtFault(each) && each.cell.expects !== null;
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
  const atFault = placed.filter(isAtFault);
  const read = placed.filter(isOpen);
  const rest = placed.filter((each) => !isAtFault(each) && !isOpen(each));
  const grid = 'grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-x-5 gap-y-4';
  return (
    <Panel>
      <fieldset className="min-w-0">
        <legend className="sr-only">Row {row.row} of the sheet</legend>
        <input type="hidden" name={`rows[${index}].row`} value={row.row} />
        <div className="flex flex-wrap items-center gap-2.5 border-b border-line px-4 py-3">
          <h2 className="figures text-sm font-semibold">Row {formatFigure(row.row)}</h2>
          {result ? (
            <Chip tone={result.errors.length === 0 ? 'good' : 'danger'}>
              {result.errors.length === 0 ? 'Becomes an asset' : 'Stays errored'}
            </Chip>
          ) : null}
          {others.map((fault) => (
            <p key={fault} className="w-full text-xs break-words text-danger">
              {fault}
            </p>
          ))}
        </div>
        {atFault.length > 0 ? <div className={`${grid} px-4 py-4`}>{atFault.map(field)}</div> : null}
        {read.length > 0 ? (
          <details className="border-t border-line px-4 py-3 first:border-t-0" open={atFault.length === 0}>
            <summary className="text-xs font-medium text-accent hover:underline">
              {atFault.length > 0 ? 'The other cells' : 'The cells'} that the mapping reads ({read.length})
            </summary>
            <div className={`${grid} mt-3 mb-1`}>{read.map(field)}</div>
          </details>
        ) : null}
        {rest.length > 0 ? (
          <details className="border-t border-line px-4 py-3">
            <summary className="text-xs font-medium text-accent hover:underline">
              Cells that no rule reads ({rest.length})
            </summary>
            <div className={`${grid} mt-3 mb-1`}>{rest.map(field)}</div>
          </details>
        ) : null}
        {result ? <Result result={result} /> : null}
      </fieldset>
    </Panel>
  );
}
