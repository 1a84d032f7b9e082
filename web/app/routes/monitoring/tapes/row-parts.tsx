import type { PreviewedRow } from '@tapeline/workflows/corrections/preview.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { inputClass } from '../../../components/forms/fields.tsx';
import { Chip } from '../../../components/page/chip.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { shownAmount } from './correct-words.ts';

interface ShownCell {
  readonly name: string;
  readonly text: string;
  readonly isInvalid?: boolean;
}

const toneOf = ({ text, isInvalid }: ShownCell) =>
  isInvalid ? 'font-medium text-danger' : text === '' ? 'text-ink-3' : '';

/** Cells of a sheet row, or values of the asset that it becomes, opened on demand. A blank cell says so. */
export function CellDetails({
  summary,
  cells,
  framed = true,
}: {
  summary: string;
  cells: readonly ShownCell[];
  /** Whether they are a part of a panel, below its other parts. */
  framed?: boolean;
}) {
  return (
    <details className={framed ? 'border-t border-line px-4 py-3 text-sm first:border-t-0' : undefined}>
      <summary className="text-xs font-medium text-accent hover:underline max-sm:py-3">{summary}</summary>
      <dl className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-4 gap-y-2 text-sm">
        {cells.map((cell) => (
          <div key={cell.name} className="min-w-0">
            <dt className="text-xs break-words text-ink-3">{cell.name}</dt>
            <dd className={`break-words ${toneOf(cell)}`}>{cell.text === '' ? 'blank' : cell.text}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Whether a corrected row would become an asset. */
export const RowOutcome = ({ errors }: { errors: readonly unknown[] }) => (
  <Chip tone={errors.length === 0 ? 'good' : 'danger'}>{errors.length === 0 ? 'Valid' : 'Still errored'}</Chip>
);

/** The asset that a corrected row would become; nothing if it stays errored. */
export function ResultingAsset({ result: { errors, cells } }: { result: Pick<PreviewedRow, 'errors' | 'cells'> }) {
  if (errors.length > 0) return null;
  const values = cells.flatMap(({ label, value }) =>
    value === null ? [] : [{ name: label, text: shownAmount(value) }],
  );
  return <CellDetails summary={`Resulting asset (${formatCount(values.length, 'value')})`} cells={values} />;
}

/** What a correction would do to its rows. @param when it takes effect: "After reprocessing" */
export function OutcomeNotice({
  when,
  outcome: { rows, assets, errored },
}: {
  when: string;
  outcome: { rows: number; assets: number; errored: number };
}) {
  const all = rows === 1 ? 'the row becomes an asset' : `all ${formatCount(rows, 'row')} become assets`;
  const some = `${formatCount(assets, 'row')} would become ${assets === 1 ? 'an asset' : 'assets'} and ${errored} would stay errored: see each below`;
  return (
    <Notice tone={errored === 0 ? 'good' : 'warning'}>
      {when}, {errored === 0 ? all : some}. Nothing is saved yet.
    </Notice>
  );
}

/** The borrower's comment to the manager on a proposed correction. */
export function CommentField({ entered }: { entered?: unknown }) {
  return (
    <div className="mt-[18px] max-w-[40rem]">
      <label htmlFor="proposal-comment" className="mb-1 block text-xs font-medium text-ink-2">
        Note to manager (optional)
      </label>
      <textarea
        id="proposal-comment"
        name="comment"
        rows={2}
        maxLength={1000}
        defaultValue={typeof entered === 'string' ? entered : ''}
        placeholder="Source of the corrected value"
        className={inputClass('h-auto py-1.5')}
      />
    </div>
  );
}
