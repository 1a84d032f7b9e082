import { Link } from '@remix-run/react';
import { reasonBesideColumn } from '@tapeline/domain/tapes/cell-reasons.ts';
import { labelOfCustomName, resolveTarget } from '@tapeline/domain/tapes/target-schema.ts';
import { formatFigure } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { ConfirmForm } from '../../../../components/overlays/confirm-form.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { paths } from '../../../../paths.ts';
import { CellDetails } from '../row-parts.tsx';
import type { ErroredView, TapeHead } from '../tape-head.ts';

type Row = ErroredView['rows'][number];

/** The label of a mapping target. */
function targetName(path: string): string {
  const target = resolveTarget(path);
  if (target.kind === 'field') return target.field.label;
  return target.kind === 'custom' ? labelOfCustomName(target.path.replace(/^customFields\./, '')) : path;
}

/** One errored row: what it is, every reason, and all the data that was read. */
export function ErroredRow({
  row,
  tapeId,
  mappingId,
  may,
  choiceForm,
  wasRerun,
}: {
  row: Row;
  tapeId: string;
  /** The mapping whose rules the reasons name. Null if the user may not read it. */
  mappingId: string | null;
  may: Pick<TapeHead['may'], 'correct' | 'discard'>;
  /** Id of the form that selected rows belong to. Null if no action is available for them. */
  choiceForm: string | null;
  /** Whether the row was corrected in the last re-run and still has errors. */
  wasRerun: boolean;
}) {
  const invalid = new Set(row.errors.map((error) => error.column));
  const number = formatFigure(row.rowNumber);
  return (
    <li className="grid gap-x-6 gap-y-2 border-b border-line px-4 py-3 last:border-b-0 lg:grid-cols-[8.5rem_minmax(0,1fr)_auto]">
      <div className="flex flex-wrap content-start items-center gap-x-2 gap-y-1">
        {choiceForm ? (
          // The checkbox itself is small, so the label around it enlarges the touch target.
          <label className="max-sm:-m-3 max-sm:p-3">
            <input
              type="checkbox"
              form={choiceForm}
              name="rows"
              value={row.rowNumber}
              aria-label={`Select row ${number}`}
              className="block size-4 accent-accent"
            />
          </label>
        ) : null}
        <h3 className="figures text-sm font-medium">Row {number}</h3>
        {wasRerun ? <Chip tone="warning">Reprocess</Chip> : null}
      </div>
      <div className="min-w-0 space-y-1.5 text-sm">
        <ul aria-label={`Errors in row ${row.rowNumber}`} className="space-y-1.5">
          {row.errors.map((error) => (
            <li key={`${error.rule}-${error.target}-${error.reason}`} className="break-words">
              <b className="font-medium">{error.column ?? (error.rule === 0 ? 'Row' : targetName(error.target))}</b>{' '}
              <span className="text-ink-2">{reasonBesideColumn(error)}</span>{' '}
              {error.rule === 0 ? null : (
                <span className="text-xs text-ink-3 max-lg:block">
                  {mappingId ? (
                    <Link
                      to={`${paths.mapping(mappingId, { tape: tapeId, rule: error.rule })}#rule-${error.rule - 1}`}
                      className="tap-text underline decoration-line-strong underline-offset-2 hover:text-accent"
                    >
                      rule {error.rule}
                    </Link>
                  ) : (
                    `rule ${error.rule}`
                  )}{' '}
                  · {targetName(error.target)}
                </span>
              )}
            </li>
          ))}
        </ul>
        <CellDetails
          summary="Source row"
          framed={false}
          cells={Object.entries(row.originData).map(([header, value]) => ({
            name: header,
            text: value === null ? '' : String(value),
            isInvalid: invalid.has(header),
          }))}
        />
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
              consequence="It is removed from this list and counted as discarded. This cannot be undone."
              confirm="Discard row"
              buttonTone="quiet"
            />
          ) : null}
        </div>
      ) : null}
    </li>
  );
}
