import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData, useNavigation } from '@remix-run/react';
import type { PreviewedRerun } from '@tapeline/workflows/corrections/preview.ts';
import { Name } from '../../components/figures/figures.tsx';
import { Button, LinkButton } from '../../components/forms/button.tsx';
import { CsrfField } from '../../components/forms/csrf-field.tsx';
import { PostForm } from '../../components/forms/post-form.tsx';
import { ErrorSummary } from '../../components/forms/screen-form.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { ErrorScreen } from '../../components/page/error-screen.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/section.tsx';
import type { CrumbHandle } from '../../components/shell/breadcrumb.tsx';
import { formatCount } from '../../figures/format.ts';
import { paths } from '../../paths.ts';
import { type ActionAnswer, act, intent, readScreen } from '../../screen.server.ts';
import { originOf } from '../../session.server.ts';
import { CORRECTED_AT_ONCE, type CorrectForm, correctSchema } from '../../tapes/correct-form.schema.ts';
import { readCorrectPage, toCorrections } from '../../tapes/correct-page.server.ts';
import { previewRerun, startRerun } from '../../tapes/rerun.server.ts';
import { RowForm } from './row-form.tsx';

type Data = { tape: { id: string; title: string } };
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Correct rows${data ? ` of ${data.tape.title}` : ''} · Tapeline` },
];
export const handle: CrumbHandle<Data> = {
  crumbs: ({ data: { tape } }) => [{ label: tape.title, to: paths.tape(tape.id) }, { label: 'Correct rows' }],
};

export const loader = (args: LoaderFunctionArgs) => readScreen(args, 'assets/write', readCorrectPage);

export function action(args: ActionFunctionArgs) {
  const tapeId = args.params.id ?? '';
  return act(args, {
    preview: intent({
      permission: 'assets/write',
      schema: correctSchema,
      async run(form, { context, actor }) {
        const rows = await toCorrections(context, actor, tapeId, form);
        const input = { tapeId, corrections: { rows }, shownRows: CORRECTED_AT_ONCE };
        const preview = await previewRerun(context, input);
        return Response.json({ intent: 'preview', done: true, lastResult: {}, preview, entered: form.rows });
      },
    }),
    rerun: intent({
      permission: 'assets/write',
      schema: correctSchema,
      async run(form, { context, actor }) {
        const rows = await toCorrections(context, actor, tapeId, form);
        const command = { tapeId, corrections: { rows }, on: form.generation };
        await startRerun(context, actor, command, originOf(args.request, context));
        return redirect(paths.tape(tapeId, { view: 'errored' }));
      },
    }),
  });
}

interface Answer extends ActionAnswer {
  preview?: PreviewedRerun;
  entered?: CorrectForm['rows'];
}

/** What was written before the round trip, by row and header. */
function enteredOf(answer: Answer | undefined): (row: number, header: string) => string | null {
  const rows = answer?.entered ?? (answer?.lastResult.initialValue?.rows as CorrectForm['rows'] | undefined) ?? [];
  const cells = new Map(rows.map(({ row, cells }) => [Number(row), new Map(cells?.map((c) => [c.header, c.value]))]));
  return (row, header) => {
    const known = cells.get(row);
    return known?.has(header) ? (known.get(header) ?? '') : null;
  };
}

function faultsOf(answer: Answer | undefined): string[] {
  return answer?.done === false ? Object.values(answer.lastResult.error ?? {}).flatMap((faults) => faults ?? []) : [];
}

/** What the rows would come to, above the rows themselves. */
function Outcome({ preview }: { preview: PreviewedRerun }) {
  const all = preview.errored === 0;
  return (
    <Notice tone={all ? 'good' : 'warning'}>
      {all
        ? `Run again, ${preview.rows === 1 ? 'this row becomes an asset' : `all ${formatCount(preview.rows, 'row')} become assets`}.`
        : `Run again, ${formatCount(preview.assets, 'row')} would become ${preview.assets === 1 ? 'an asset' : 'assets'} and ${preview.errored} would stay errored: see each below.`}{' '}
      Nothing is saved yet.
    </Notice>
  );
}

export default function CorrectRows() {
  const { tape, rows } = useLoaderData<typeof loader>();
  const answer = useActionData() as Answer | undefined;
  const navigation = useNavigation();
  const sent = navigation.formData?.get('intent');
  const entered = enteredOf(answer);
  const back = paths.tape(tape.id, { view: 'errored' });
  const faults = faultsOf(answer);
  return (
    <>
      <PageHeader
        title={rows.length === 1 ? `Correct row ${rows[0]?.row}` : 'Correct rows'}
        facts={[
          <Name key="tape" length={60}>
            {tape.title}
          </Name>,
          <>
            run again by mapping <b>v{tape.mappingVersion}</b>
          </>,
        ]}
        actions={<LinkButton to={back}>Errored rows</LinkButton>}
      />
      {faults.length > 0 ? (
        <div className="mb-[18px]">
          <ErrorSummary formErrors={faults} faults={[]} />
        </div>
      ) : null}
      {tape.isInWork ? (
        <Notice tone="warning">The tape is in work. What you write here can be run again once that is done.</Notice>
      ) : null}
      {answer?.preview ? <Outcome preview={answer.preview} /> : null}
      {rows.length === 0 ? (
        <Panel>
          <EmptyState title="These rows are not errored" action={<Link to={back}>See the errored rows</Link>}>
            They became assets, were discarded, or never were among the errored rows of this tape.
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
          <div className="sticky bottom-0 mt-[18px] flex flex-wrap items-center gap-2 border-t border-line bg-canvas py-3 max-sm:bottom-14">
            <Button
              type="submit"
              name="intent"
              value="rerun"
              tone="primary"
              disabled={tape.isInWork}
              aria-disabled={sent === 'rerun' || undefined}
            >
              {sent === 'rerun' ? 'Running' : 'Run again'}
            </Button>
            <Button type="submit" name="intent" value="preview" aria-disabled={sent === 'preview' || undefined}>
              {sent === 'preview' ? 'Looking' : 'See the result first'}
            </Button>
            <span className="min-w-0 text-xs text-ink-3">Published assets stay as they are.</span>
          </div>
        </PostForm>
      )}
    </>
  );
}

export { ErrorScreen as ErrorBoundary };
