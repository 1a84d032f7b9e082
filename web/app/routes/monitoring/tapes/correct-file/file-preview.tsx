import { useNavigation } from '@remix-run/react';
import type { PreviewedRerun } from '@tapeline/workflows/corrections/preview.ts';
import { formatCount, formatFigure } from '../../../../components/figures/format.ts';
import { Button, LinkButton } from '../../../../components/forms/button.tsx';
import { CsrfField } from '../../../../components/forms/csrf-field.tsx';
import { PostForm } from '../../../../components/forms/post-form.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import { shownAmount } from '../correct-words.ts';
import { CommentField, RowOutcome } from '../row-parts.tsx';

type Shown = PreviewedRerun['shown'][number];

const NAMED = ['assetId', 'sums.outstandingSum'];

/** A row in a few words: why it stays errored, or the asset that it becomes. */
function inWords({ errors, cells }: Shown): string {
  if (errors.length > 0) {
    return errors.map(({ column, target, reason }) => `${column ?? target}: ${reason}`).join('; ');
  }
  return cells.flatMap(({ target, value }) => (NAMED.includes(target) && value ? [shownAmount(value)] : [])).join(', ');
}

/** The preview of a corrected file, and the button that runs it. */
export function FilePreview({
  tape,
  isProposal,
  file,
  preview,
}: {
  tape: { id: string; generation: string; isInProgress: boolean };
  /** Whether the rows are proposed (by a borrower) and not run directly. */
  isProposal: boolean;
  file: { id: string; name: string };
  preview: PreviewedRerun;
}) {
  const sent = useNavigation().formData?.get('intent');
  const isRunning = sent === 'rerun' || sent === 'propose';
  const isHeld = tape.isInProgress && !isProposal;
  const rows = formatCount(preview.rows, 'row');
  const cells = formatCount(preview.changedCells, 'cell');
  return (
    <>
      <Notice tone={preview.errored === 0 ? 'good' : 'warning'}>
        {file.name} corrects {cells} of {rows}. {isProposal ? 'Once the manager accepts' : 'After reprocessing'},{' '}
        <b className="figures">{formatFigure(preview.assets)}</b> of them become
        {preview.assets === 1 ? 's an asset' : ' assets'}
        {preview.errored > 0 ? (
          <>
            {' '}
            and <b className="figures">{formatFigure(preview.errored)}</b> {preview.errored === 1 ? 'stays' : 'stay'}{' '}
            errored
          </>
        ) : null}
        . Nothing is saved yet.
      </Notice>
      <div className="mb-[26px] flex flex-wrap items-end gap-2">
        <PostForm>
          <CsrfField />
          <input type="hidden" name="intent" value={isProposal ? 'propose' : 'rerun'} />
          <input type="hidden" name="generation" value={tape.generation} />
          <input type="hidden" name="file" value={file.id} />
          {isProposal ? (
            <div className="mb-3 w-[min(40rem,80vw)]">
              <CommentField />
            </div>
          ) : null}
          <Button type="submit" tone="primary" disabled={isHeld} aria-disabled={isRunning || undefined}>
            {isProposal
              ? isRunning
                ? 'Proposing'
                : `Propose ${rows} to manager`
              : isRunning
                ? 'Reprocessing'
                : `Reprocess ${rows}`}
          </Button>
        </PostForm>
        <LinkButton to={paths.correctFile(tape.id)}>Choose another file</LinkButton>
        {isHeld ? (
          <span className="text-xs text-ink-3">The tape is being processed. Wait until it is complete.</span>
        ) : null}
      </div>
      <TableSection
        title="Rows"
        note={
          preview.rows > preview.shown.length
            ? `first ${preview.shown.length} of ${formatFigure(preview.rows)}`
            : undefined
        }
        caption="Corrected rows and their results"
        rows={preview.shown}
        rowKey={({ row }) => String(row)}
        columns={[
          { head: 'Row', cell: ({ row }) => formatFigure(row) },
          {
            head: 'Result',
            cell: ({ errors }) => <RowOutcome errors={errors} />,
          },
          { head: 'Asset or errors', cell: inWords },
        ]}
      />
    </>
  );
}
