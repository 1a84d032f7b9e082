import { Link, useSearchParams } from '@remix-run/react';
import { Download } from 'lucide-react';
import { DateText } from '../../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../../components/figures/format.ts';
import { Button, LinkButton } from '../../../../components/forms/button.tsx';
import { CsrfField } from '../../../../components/forms/csrf-field.tsx';
import { PostForm } from '../../../../components/forms/post-form.tsx';
import { AskOnPage } from '../../../../components/overlays/ask-on-page.tsx';
import { ConfirmForm } from '../../../../components/overlays/confirm-form.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { Pagination } from '../../../../components/page/pagination.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import { paths } from '../../../../paths.ts';
import type { ErroredView, TapeHead } from '../tape-head.ts';
import { ERRORED_ROWS } from '../tape-words.ts';
import { ErroredRow } from './errored-row.tsx';
import { Proposals } from './proposals.tsx';
import { UnknownStatuses } from './unknown-statuses.tsx';

const CONSEQUENCE = 'They are removed from this list and counted as discarded. This cannot be undone.';
/** The id of the form that selected rows belong to. */
const CHOICE = 'chosen-rows';

/** The number of rows with a reason per column. Each links to its rows. */
function ReasonsByColumn({ tapeId, view }: { tapeId: string; view: ErroredView }) {
  if (view.reasons.length < 2 && view.column === null) return null;
  const chip = (current: boolean) =>
    `figures inline-flex h-6 max-sm:h-10 max-w-full items-center gap-1.5 rounded-full border px-2.5 text-xs ${
      current ? 'border-accent bg-accent-soft font-medium text-accent' : 'border-line-strong text-ink-2 hover:bg-hover'
    }`;
  return (
    <nav aria-label="Errors by column" className="flex flex-wrap gap-1.5 border-b border-line px-4 py-3">
      <Link
        to={paths.tape(tapeId, { view: 'errored' })}
        preventScrollReset
        aria-current={view.column === null ? 'true' : undefined}
        className={chip(view.column === null)}
      >
        All <span>{formatFigure(view.all)}</span>
      </Link>
      {view.reasons.map(({ column, rows }) => (
        <Link
          key={column}
          to={paths.tape(tapeId, { view: 'errored', column })}
          preventScrollReset
          aria-current={view.column === column ? 'true' : undefined}
          className={chip(view.column === column)}
        >
          <span className="truncate">{column}</span> <span>{formatFigure(rows)}</span>
        </Link>
      ))}
    </nav>
  );
}

/** The result of the last re-run of corrected rows. */
function LastRerun({ outcome }: { outcome: NonNullable<ErroredView['outcome']> }) {
  const { rows, assets, by, acceptedBy, at } = outcome;
  const stayed = rows - assets;
  return (
    <Notice tone={stayed === 0 ? 'good' : 'info'}>
      {by ? `${by} corrected ` : 'Corrected: '}
      <span className="figures">{formatCount(rows, 'row')}</span> on <DateText time value={at} />
      {acceptedBy ? `, accepted by ${acceptedBy}` : ''}:{' '}
      <span className="figures">
        {assets === 0 ? 'none' : formatFigure(assets)} became {assets === 1 ? 'an asset' : 'assets'}
        {stayed > 0 ? `, ${formatFigure(stayed)} ${stayed === 1 ? 'stays' : 'stay'} errored` : ''}
      </span>
      .
    </Notice>
  );
}

function Nothing({ discarded }: { discarded: number }) {
  return (
    <Panel>
      <EmptyState title="No errored rows">
        {discarded > 0 ? `Errored rows discarded: ${formatFigure(discarded)}.` : 'All rows were processed as assets.'}
      </EmptyState>
    </Panel>
  );
}

/** Rows that could not become assets: every reason, all the data that was read, and the available actions. */
export function ErroredTab({ head, view }: { head: TapeHead; view: ErroredView }) {
  const [search] = useSearchParams();
  const { may } = head;
  const discarded = head.counts?.discarded ?? 0;
  const asked = search.get('discard');
  const here = paths.tape(head.id, { view: 'errored' });
  const outcome = view.outcome ? <LastRerun outcome={view.outcome} /> : null;
  const proposals = <Proposals tapeId={head.id} proposals={view.proposals} mayDecide={may.decide} />;
  if (view.all === 0) {
    return (
      <>
        {outcome}
        {proposals}
        <Nothing discarded={discarded} />
      </>
    );
  }
  const stayed = new Set(view.outcome?.stayed ?? []);
  const mayChoose = may.correct || may.discard;
  const askedRows = asked?.split(',').map(Number) ?? [];
  return (
    <>
      {outcome}
      {may.discard && asked !== null && /^(all|[1-9]\d*(,[1-9]\d*)*)$/.test(asked) ? (
        <AskOnPage
          intent="discard"
          values={{ rows: asked }}
          title={
            asked === 'all'
              ? `Discard all errored rows (${formatFigure(view.all)})?`
              : askedRows.length === 1
                ? `Discard row ${formatFigure(askedRows[0] ?? 0)}?`
                : `Discard ${formatCount(askedRows.length, 'row')} (${askedRows.map((row) => formatFigure(row)).join(', ')})?`
          }
          consequence={CONSEQUENCE}
          confirm={asked === 'all' ? 'Discard all' : askedRows.length === 1 ? 'Discard row' : 'Discard rows'}
          backTo={here}
        />
      ) : null}
      {mayChoose ? (
        <PostForm id={CHOICE} preventScrollReset>
          <CsrfField />
        </PostForm>
      ) : null}
      {proposals}
      {view.statuses ? <UnknownStatuses statuses={view.statuses} /> : null}
      <div id="errored-rows" className="scroll-mt-4" />
      <Panel>
        <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-3">
          <h2 className="figures mr-auto text-sm text-ink-2">
            {formatFigure(view.all)} errored{discarded > 0 ? `, ${formatFigure(discarded)} discarded` : ''}
          </h2>
          {may.correct ? (
            <>
              <Button type="submit" form={CHOICE} name="intent" value="correct">
                Correct selected
              </Button>
              <LinkButton to={paths.correctFile(head.id)}>Correct in file</LinkButton>
            </>
          ) : (
            <LinkButton external icon={Download} to={paths.tapeExport(head.id, { view: 'errored', format: 'xlsx' })}>
              Excel
            </LinkButton>
          )}
          {may.discard ? (
            <>
              <Button type="submit" form={CHOICE} name="intent" value="discard">
                Discard selected
              </Button>
              <ConfirmForm
                intent="discard"
                values={{ rows: 'all' }}
                label="Discard all"
                title={`Discard all errored rows (${formatFigure(view.all)})?`}
                consequence={CONSEQUENCE}
                confirm="Discard all"
              />
            </>
          ) : null}
        </div>
        <ReasonsByColumn tapeId={head.id} view={view} />
        {view.total === 0 ? (
          <EmptyState title="No errors in this column" action={<Link to={here}>View all errored rows</Link>}>
            Rows with errors in this column were corrected or discarded.
          </EmptyState>
        ) : (
          <ul>
            {view.rows.map((row) => (
              <ErroredRow
                key={row.rowNumber}
                row={row}
                tapeId={head.id}
                mappingId={head.mapping?.id ?? null}
                may={may}
                choiceForm={mayChoose ? CHOICE : null}
                wasRerun={stayed.has(row.rowNumber)}
              />
            ))}
          </ul>
        )}
        <Pagination total={view.total} limit={ERRORED_ROWS} noun="errored rows" />
      </Panel>
    </>
  );
}
