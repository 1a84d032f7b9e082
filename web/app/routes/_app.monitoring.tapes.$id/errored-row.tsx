import { LinkButton } from '../../components/forms/button.tsx';
import { ConfirmForm } from '../../components/overlays/confirm-form.tsx';
import { Chip } from '../../components/page/chip.tsx';
import { formatFigure } from '../../figures/format.ts';
import { paths } from '../../paths.ts';
import type { ErroredView, TapeHead } from '../../tapes/tape-head.ts';

type Row = ErroredView['rows'][number];

/** A cell as read; blank says that it was. */
function Cell({ value, isAtFault }: { value: Row['originData'][string]; isAtFault: boolean }) {
  const text = value === null ? 'blank' : String(value);
  return (
    <dd className={`break-words ${isAtFault ? 'font-medium text-danger' : value === null ? 'text-ink-3' : ''}`}>
      {text}
    </dd>
  );
}

/** One errored row: what it is, every reason, and beside it all that was read. */
export function ErroredRow({
  row,
  tapeId,
  may,
  choiceForm,
  wasRerun,
}: {
  row: Row;
  tapeId: string;
  may: Pick<TapeHead['may'], 'correct' | 'discard'>;
  /** Id of the form that chosen rows belong to; null where nothing can be done with them. */
  choiceForm: string | null;
  /** Whether it was corrected last, and stayed. */
  wasRerun: boolean;
}) {
  const atFault = new Set(row.errors.map((error) => error.column));
  const number = formatFigure(row.rowNumber);
  return (
    <li className="grid gap-x-6 gap-y-2 border-b border-line px-4 py-3 last:border-b-0 lg:grid-cols-[8.5rem_minmax(0,1fr)_auto]">
      <div className="flex flex-wrap content-start items-center gap-x-2 gap-y-1">
        {choiceForm ? (
          <input
            type="checkbox"
            form={choiceForm}
            name="rows"
            value={row.rowNumber}
            aria-label={`Choose row ${number}`}
            className="size-4 accent-accent"
          />
        ) : null}
        <h3 className="figures text-sm font-medium">Row {number}</h3>
        {wasRerun ? <Chip tone="warning">Run again</Chip> : null}
      </div>
      <div className="min-w-0 space-y-1.5 text-sm">
        <ul aria-label={`Reasons of row ${row.rowNumber}`} className="space-y-1.5">
          {row.errors.map((error) => (
            <li key={`${error.rule}-${error.target}-${error.reason}`} className="break-words">
              <b className="font-medium">{error.column ?? error.target}</b>{' '}
              <span className="text-ink-2">
                {error.reason}
                {error.value === null || error.reason.includes(error.value) ? '' : `: “${error.value}”`}
              </span>{' '}
              <span className="text-xs text-ink-3 max-lg:block">
                rule {error.rule} · {error.target}
              </span>
            </li>
          ))}
        </ul>
        <details>
          <summary className="text-xs font-medium text-accent hover:underline">
            What was read ({Object.keys(row.originData).length} cells)
          </summary>
          <dl className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-4 gap-y-2">
            {Object.entries(row.originData).map(([header, value]) => (
              <div key={header} className="min-w-0">
                <dt className="text-xs break-words text-ink-3">{header}</dt>
                <Cell value={value} isAtFault={atFault.has(header)} />
              </div>
            ))}
          </dl>
        </details>
      </div>
      {may.correct || may.discard ? (
        <div className="flex items-start gap-2">
          {may.correct ? <LinkButton to={paths.correctRows(tapeId, [row.rowNumber])}>Correct</LinkButton> : null}
          {may.discard ? (
            <ConfirmForm
              intent="discard"
              values={{ rows: String(row.rowNumber) }}
              label="Discard"
              title={`Discard row ${number}?`}
              consequence="It leaves this list and counts as discarded. This cannot be undone."
              confirm="Discard the row"
              buttonTone="quiet"
            />
          ) : null}
        </div>
      ) : null}
    </li>
  );
}
