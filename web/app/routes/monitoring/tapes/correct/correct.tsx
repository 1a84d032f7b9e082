import { Link, useActionData, useLoaderData, useNavigation } from '@remix-run/react';
import type { PreviewedRerun } from '@tapeline/workflows/corrections/preview.ts';
import { previewRerun } from '../../../../commands/rerun.server.ts';
import { Name } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { ActionProblems } from '../../../../components/forms/action-problems.tsx';
import { Button, LinkButton } from '../../../../components/forms/button.tsx';
import { CsrfField } from '../../../../components/forms/csrf-field.tsx';
import { PostForm } from '../../../../components/forms/post-form.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { Panel } from '../../../../components/page/section.tsx';
import { LARGE_FORM_BYTES } from '../../../../http/csrf.server.ts';
import { type ActionAnswer, act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { CORRECTED_AT_ONCE, type CorrectForm, correctSchema } from '../correct-form.schema.ts';
import { correctionIntents, correctionsOf, readCorrectPage } from '../correct-page.server.ts';
import { CommentField, OutcomeNotice } from '../row-parts.tsx';
import { rowsThatFit } from '../rows-that-fit.ts';
import { RowForm } from './row-form.tsx';

export const handle = named<typeof loader>(
  ({ tape }) => [[tape.title, paths.tape(tape.id)], 'Correct rows'],
  ({ tape }) => `Correct rows of ${tape.title}`,
);

export const loader = readScreen('assets/write', async (screen) => {
  const page = await readCorrectPage(screen);
  return { ...page, ...rowsThatFit(page.rows) };
});

export const action = act(
  {
    preview: intent({
      permission: 'assets/write',
      schema: correctSchema,
      async run(form, screen) {
        const input = { ...(await correctionsOf(form, screen)), shownRows: CORRECTED_AT_ONCE };
        const preview = await previewRerun(screen, input);
        const { rows: entered, comment } = form;
        return Response.json({ intent: 'preview', done: true, lastResult: {}, preview, entered, comment });
      },
    }),
    ...correctionIntents(correctSchema, correctionsOf),
  },
  { maxBytes: LARGE_FORM_BYTES },
);

interface Answer extends ActionAnswer {
  preview?: PreviewedRerun;
  entered?: CorrectForm['rows'];
  comment?: string;
}

/** The values entered before the round trip, by row and header. */
function enteredOf(answer: Answer | undefined): (row: number, header: string) => string | null {
  const rows = answer?.entered ?? (answer?.lastResult.initialValue?.rows as CorrectForm['rows'] | undefined) ?? [];
  const cells = new Map(rows.map(({ row, cells }) => [Number(row), new Map(cells?.map((c) => [c.header, c.value]))]));
  return (row, header) => {
    const known = cells.get(row);
    return known?.has(header) ? (known.get(header) ?? '') : null;
  };
}

export default function CorrectRows() {
  const { tape, rows, isProposal, leftRows, leftCells } = useLoaderData<typeof loader>();
  const answer = useActionData<Answer>();
  const navigation = useNavigation();
  const sent = navigation.formData?.get('intent');
  const entered = enteredOf(answer);
  const back = paths.tape(tape.id, { view: 'errored' });
  return (
    <>
      <PageHeader
        title={rows.length === 1 ? `Correct row ${rows[0]?.row}` : 'Correct rows'}
        facts={[
          <Name key="tape" length={60}>
            {tape.title}
          </Name>,
          <>
            reprocessed with mapping <b>v{tape.mappingVersion}</b>
          </>,
        ]}
        actions={<LinkButton to={back}>Errored rows</LinkButton>}
      />
      <ActionProblems answer={answer} />
      {isProposal ? (
        <Notice>
          Your correction needs the manager’s approval. The tape does not change until the manager accepts it. You can
          change the cells that caused a row to fail.
        </Notice>
      ) : null}
      {tape.isInProgress && !isProposal ? (
        <Notice tone="warning">
          The tape is being processed. You can reprocess your corrections when processing is complete.
        </Notice>
      ) : null}
      {leftRows > 0 ? (
        <Notice tone="warning">
          The rows are wide, so {rows.length === 1 ? 'one row is' : `${rows.length} rows are`} shown at a time.{' '}
          {leftRows === 1 ? 'One more' : `${leftRows} more`} can be corrected after {rows.length === 1 ? 'it' : 'them'}.
        </Notice>
      ) : null}
      {leftCells > 0 && !isProposal ? (
        <Notice tone="warning">
          The rows have {formatCount(leftCells, 'more cell')} that no rule uses. To change them, correct the rows in a
          file.
        </Notice>
      ) : null}
      {answer?.preview ? (
        <OutcomeNotice when={isProposal ? 'Once the manager accepts' : 'After reprocessing'} outcome={answer.preview} />
      ) : null}
      {rows.length === 0 ? (
        <Panel>
          <EmptyState title="These rows are not errored" action={<Link to={back}>View errored rows</Link>}>
            They were processed as assets, were discarded, or were never errored rows of this tape.
          </EmptyState>
        </Panel>
      ) : (
        <PostForm preventScrollReset>
          <CsrfField />
          <input type="hidden" name="generation" value={tape.generation} />
          <div className="space-y-[18px]">
            {rows.map((row, index) => (
              <RowForm
                key={row.row}
                row={row}
                index={index}
                entered={(header) => entered(row.row, header)}
                result={answer?.preview?.shown.find((shown) => shown.row === row.row) ?? null}
              />
            ))}
          </div>
          {isProposal ? <CommentField entered={answer?.comment ?? answer?.lastResult.initialValue?.comment} /> : null}
          <div className="sticky bottom-0 mt-[18px] flex flex-wrap items-center gap-2 border-t border-line bg-canvas py-3 max-sm:bottom-14">
            {isProposal ? (
              <Button
                type="submit"
                name="intent"
                value="propose"
                tone="primary"
                aria-disabled={sent === 'propose' || undefined}
              >
                {sent === 'propose' ? 'Proposing' : 'Propose to manager'}
              </Button>
            ) : (
              <Button
                type="submit"
                name="intent"
                value="rerun"
                tone="primary"
                disabled={tape.isInProgress}
                aria-disabled={sent === 'rerun' || undefined}
              >
                {sent === 'rerun' ? 'Reprocessing' : 'Reprocess'}
              </Button>
            )}
            <Button type="submit" name="intent" value="preview" aria-disabled={sent === 'preview' || undefined}>
              {sent === 'preview' ? 'Checking…' : 'Preview'}
            </Button>
            <span className="min-w-0 text-xs text-ink-3">Published assets do not change.</span>
          </div>
        </PostForm>
      )}
    </>
  );
}
