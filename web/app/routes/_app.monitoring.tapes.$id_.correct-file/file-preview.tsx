import { useNavigation } from '@remix-run/react';
import type { PreviewedRerun } from '@tapeline/workflows/corrections/preview.ts';
import { Button, LinkButton } from '../../components/forms/button.tsx';
import { CsrfField } from '../../components/forms/csrf-field.tsx';
import { PostForm } from '../../components/forms/post-form.tsx';
import { Chip } from '../../components/page/chip.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { formatCount, formatFigure } from '../../figures/format.ts';
import { paths } from '../../paths.ts';
import { shownAmount } from '../../tapes/correct-words.ts';

type Shown = PreviewedRerun['shown'][number];

const NAMED = ['assetId', 'sums.outstandingSum'];

/** A row in a few words: why it stays, or the asset that it becomes. */
function inWords({ errors, cells }: Shown): string {
  if (errors.length > 0) {
    return errors.map(({ column, target, reason }) => `${column ?? target}: ${reason}`).join('; ');
  }
  return cells.flatMap(({ target, value }) => (NAMED.includes(target) && value ? [shownAmount(value)] : [])).join(', ');
}

/** What a corrected file would come to, and the button that runs it. */
export function FilePreview({
  tape,
  file,
  preview,
}: {
  tape: { id: string; generation: string; isInWork: boolean };
  file: { id: string; name: string };
  preview: PreviewedRerun;
}) {
  const isRunning = useNavigation().formData?.get('intent') === 'rerun';
  const cells = formatCount(preview.changedCells, 'cell');
  return (
    <>
      <Notice tone={preview.errored === 0 ? 'good' : 'warning'}>
        {file.name} corrects {cells} of {formatCount(preview.rows, 'row')}. Run again,{' '}
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
      <div className="mb-[26px] flex flex-wrap items-center gap-2">
        <PostForm>
          <CsrfField />
          <input type="hidden" name="intent" value="rerun" />
          <input type="hidden" name="generation" value={tape.generation} />
          <input type="hidden" name="file" value={file.id} />
          <Button type="submit" tone="primary" disabled={tape.isInWork} aria-disabled={isRunning || undefined}>
            {isRunning ? 'Running' : `Run ${formatCount(preview.rows, 'row')} again`}
          </Button>
        </PostForm>
        <LinkButton to={paths.correctFile(tape.id)}>Take another file</LinkButton>
        {tape.isInWork ? (
          <span className="text-xs text-ink-3">The tape is in work: wait until that is done.</span>
        ) : null}
      </div>
      <Section
        title="Rows"
        note={
          preview.rows > preview.shown.length
            ? `the first ${preview.shown.length} of ${formatFigure(preview.rows)}`
            : undefined
        }
      >
        <Panel>
          <DataTable
            caption="Corrected rows and what they come to"
            rows={preview.shown}
            rowKey={({ row }) => String(row)}
            columns={[
              { key: 'row', head: 'Row', cell: ({ row }) => formatFigure(row) },
              {
                key: 'outcome',
                head: 'Comes to',
                cell: ({ errors }) => (
                  <Chip tone={errors.length === 0 ? 'good' : 'danger'}>
                    {errors.length === 0 ? 'Becomes an asset' : 'Stays errored'}
                  </Chip>
                ),
              },
              { key: 'words', head: 'Asset, or reasons', cell: inWords },
            ]}
          />
        </Panel>
      </Section>
    </>
  );
}
