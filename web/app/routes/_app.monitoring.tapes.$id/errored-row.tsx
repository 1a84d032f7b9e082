import { Link } from '@remix-run/react';
import { labelOfCustomName, resolveTarget } from '@tapeline/domain/tapes/target-schema.ts';
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

/** A target of the mapping as people call it. */
function targetName(path: string): string {
  const target = resolveTarget(path);
  if (target.kind === 'field') return target.field.label;
  return target.kind === 'custom' ? labelOfCustomName(target.path.replace(/^customFields\./, '')) : path;
}

/** A reason that begins with the column's name, without it: the name stands before it already. */
const afterName = (reason: string, column: string | null): string =>
  column && reason.startsWith(`${column} `) ? reason.slice(column.length + 1) : reason;

/** One errored row: what it is, every reason, and beside it all that was read. */
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
  /** The mapping whose rules the reasons name; null where it may not be read. */
  mappingId: string | null;
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
          // The box itself is small; what takes a finger is the label round it.
          <label className="max-sm:-m-3 max-sm:p-3">
            <input
              type="checkbox"
              form={choiceForm}
              name="rows"
              value={row.rowNumber}
              aria-label={`Choose row ${number}`}
              className="block size-4 accent-accent"
            />
          </label>
        ) : null}
        <h3 className="figures text-sm font-medium">Row {number}</h3>
        {wasRerun ? <Chip tone="warning">Run again</Chip> : null}
      </div>
      <div className="min-w-0 space-y-1.5 text-sm">
        <ul aria-label={`Reasons of row ${row.rowNumber}`} className="space-y-1.5">
          {row.errors.map((error) => (
            <li key={`${error.rule}-${error.target}-${error.reason}`} className="break-words">
              <b className="font-medium">{error.column ?? targetName(error.target)}</b>{' '}
              <span className="text-ink-2">
                {afterName(error.reason, error.column)}
                {error.value === null || error.reason.includes(error.value) ? '' : `: “${error.value}”`}
              </span>{' '}
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
            </li>
          ))}
        </ul>
        <details>
          <summary className="text-xs font-medium text-accent hover:underline max-sm:py-3">
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
