import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData, useNavigation } from '@remix-run/react';
import { changeImportDraft, getImportDraft } from '@tapeline/db/operations/importer/drafts.ts';
import { forgetName, rememberNames } from '@tapeline/db/operations/importer/names.ts';
import { forgetCheck } from '@tapeline/db/operations/importer/run-check.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import { MAX_CHANGES, withChanges } from '@tapeline/domain/importer/draft.ts';
import { KIND_TITLES } from '@tapeline/domain/importer/kinds.ts';
import { plainCell } from '@tapeline/domain/importer/written-cells.ts';
import { ArrowLeft, ChevronRight, Download, FileUp, RefreshCw, X } from 'lucide-react';
import { DateText } from '../../../components/figures/figures.tsx';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatFigure,
  formatPercent,
} from '../../../components/figures/format.ts';
import { ActionForm } from '../../../components/forms/action-form.tsx';
import { Button, LinkButton } from '../../../components/forms/button.tsx';
import { CsrfField } from '../../../components/forms/csrf-field.tsx';
import { ErrorSummary } from '../../../components/forms/error-summary.tsx';
import { PostForm } from '../../../components/forms/post-form.tsx';
import { Chip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { KeyFigures } from '../../../components/page/key-figures.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel, PanelSection } from '../../../components/page/section.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { CONFIRMED } from '../../../http/confirmed.ts';
import { act, intent, readScreenOfManager, type Screen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { requireConfirmedWarnings } from '../check-draft.server.ts';
import { discardDraft } from '../discard-draft.server.ts';
import { openDraft } from '../draft-page.server.ts';
import { ImportSteps } from '../import-steps.tsx';
import { titleOf } from '../kind-words.ts';
import { startDraft } from '../start-draft.server.ts';
import { changesOf, checkForm, ROWS_PER_PAGE } from './check-form.ts';
import { readCheckPage } from './check-page.server.ts';
import { NamesPanel } from './names.tsx';
import { forgetForm, matchesOf, namesForm, nameValue } from './names-form.ts';
import { newFigureOf } from './new-figure.tsx';
import { referenceTo } from './reference-to.ts';
import { RowTable, ViewLinks } from './row-table.tsx';
import { ControlPanel, Totals } from './totals.tsx';

export const handle = named<typeof loader>(
  ({ kind }) => [titleOf(kind)],
  ({ kind }) => `Check · ${titleOf(kind)}`,
);

export const loader = readScreenOfManager('importer/write', readCheckPage);

const check = intent({
  permission: 'importer/write',
  schema: checkForm,
  async run(form, screen) {
    const draft = await openDraft(screen);
    const { content, original, id } = draft;
    const columns = IMPORT_COLUMNS[content.kind];
    const shown = new Map(draft.rows.map(({ row, cells }) => [row, cells]));
    // What a person enters is read as the file is. What the page showed is not read again.
    const entered = changesOf(form, columns, draft.rows).map((change) => {
      const column = columns.find(({ key }) => key === change.column);
      const cells = shown.get(change.row) ?? {};
      return column && draft.form && change.text !== cells[column.key]
        ? { ...change, text: plainCell(column, change.text, draft.form, cells.currency?.toUpperCase()) }
        : change;
    });
    const changes = withChanges(content, original, entered).filter(({ row }) => row !== form.undo);
    if (changes.length > MAX_CHANGES)
      throw new Refusal('badRequest', `At most ${MAX_CHANGES} cells can be corrected here. Correct the file itself`);
    const rows = new Set(original.map(({ row }) => row));
    const removed = new Set(content.removedRows);
    if (form.remove !== undefined && rows.has(form.remove)) removed.add(form.remove);
    if (form.restore !== undefined) removed.delete(form.restore);
    const next = { ...content, changes, removedRows: [...removed].sort((a, b) => a - b) };
    const isChanged =
      JSON.stringify([next.changes, next.removedRows]) !== JSON.stringify([content.changes, content.removedRows]);
    // What was entered is checked before it is imported.
    if (form.go === 'import' && !isChanged) {
      await requireConfirmedWarnings(screen, draft);
      return redirect(await startDraft(screen, draft, form.version));
    }
    if (isChanged)
      await screen.db((session) => changeImportDraft(session, { id, version: form.version, content: next }));
    else await screen.db((session) => forgetCheck(session, id));
    const show = screen.url.searchParams.get('show');
    return redirect(
      paths.importCheck(id, { ...(show ? { show } : {}), skip: skipOf(screen.url.searchParams) || undefined }),
    );
  },
});

/** Back to the same page, which checks the draft again. */
const checkAgain = ({ url }: Screen, id: string) => redirect(`${paths.importCheck(id)}${url.search}`);

const names = intent({
  permission: 'importer/write',
  schema: namesForm,
  async run(form, screen) {
    const matches = matchesOf(form);
    if (matches.length === 0) throw new Refusal('badRequest', 'Choose what at least one of the names means');
    const id = screen.params.id ?? '';
    await screen.db(async (session) => {
      await getImportDraft(session, id);
      await rememberNames(session, matches);
      await forgetCheck(session, id);
    });
    return checkAgain(screen, id);
  },
});

const forget = intent({
  permission: 'importer/write',
  schema: forgetForm,
  async run(form, screen) {
    const id = screen.params.id ?? '';
    await screen.db(async (session) => {
      await getImportDraft(session, id);
      await forgetName(session, form.forget);
      await forgetCheck(session, id);
    });
    return checkAgain(screen, id);
  },
});

export const action = act({
  check,
  names,
  forget,
  discard: discardDraft,
});

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

function References({ references }: { references: Page['references'] }) {
  if (references.length === 0) return null;
  return (
    <details className="group mb-[26px] text-sm">
      <summary className="cursor-pointer text-base font-semibold">
        <ChevronRight aria-hidden="true" size={14} className="mr-1 inline group-open:rotate-90" />
        {formatCount(references.length, 'code')} found{' '}
        <span className="text-xs font-normal text-ink-3">what the codes and names of the file stand for</span>
      </summary>
      <Panel className="mt-2.5 max-h-96 overflow-y-auto">
        <DataTable
          caption="What the codes and names of the file stand for"
          rows={references}
          rowKey={({ label, code }) => `${label} ${code}`}
          columns={[
            { head: 'Column', cell: ({ label }) => label },
            { head: 'Code or name', cell: ({ code }) => code },
            {
              head: 'Stands for',
              cell: (reference) => {
                const to = referenceTo(reference);
                return to ? (
                  <Link to={to} className="text-accent hover:underline">
                    {reference.title}
                  </Link>
                ) : (
                  reference.title
                );
              },
            },
            { head: 'Rows', figure: ({ rowCount }) => rowCount },
            {
              head: 'Matched',
              cell: ({ isRemembered, collection, code }) =>
                isRemembered ? (
                  <span className="inline-flex items-center gap-3">
                    as confirmed before
                    <ActionForm intent="forget" values={{ forget: nameValue({ collection, text: code }) }} tone="quiet">
                      Ask again
                    </ActionForm>
                  </span>
                ) : (
                  'exactly'
                ),
            },
          ]}
        />
      </Panel>
    </details>
  );
}

/** What looks like a mistake, with the box that confirms it. */
function Warnings({ warnings: { count, first, key } }: { warnings: Page['warnings'] }) {
  if (key === null) return null;
  return (
    <div className="mt-4 rounded-lg bg-warning-soft px-3.5 py-2.5 text-sm text-warning">
      <p className="font-medium">Is this right? {formatCount(count, 'row')} can be imported but may be wrong.</p>
      <ul className="mt-1 list-disc pl-4">
        {first.map(({ row, message }) => (
          <li key={`${row} ${message}`} className="break-words">
            Row {row}: {message}
          </li>
        ))}
        {count > first.length ? <li>and {formatFigure(count - first.length)} more</li> : null}
      </ul>
      <label className="mt-2 flex items-center gap-2 font-medium">
        <input type="checkbox" name={CONFIRMED} value={JSON.stringify([key])} className="size-4 accent-accent" />
        Yes, import {count === 1 ? 'it' : 'them'} as {count === 1 ? 'it is' : 'they are'}
      </label>
    </div>
  );
}

function Footer({ page }: { page: Page }) {
  const { id, kind, problemCount, totalCount, readyCount } = page;
  const busy = useNavigation().state !== 'idle';
  const isReady = totalCount > 0 && readyCount === totalCount;
  const { nouns, noun } = KIND_TITLES[kind];
  return (
    <div className="sticky bottom-0 z-10 -mx-6 mt-6 flex flex-wrap items-center gap-2 border-t border-line bg-paper px-6 py-3 max-sm:static max-sm:mx-0 max-sm:rounded-lg max-sm:border max-sm:px-3">
      <LinkButton to={paths.importColumns(id)} icon={ArrowLeft}>
        Back
      </LinkButton>
      <p className="mr-auto text-xs text-ink-3 max-sm:order-last max-sm:w-full">
        All rows are imported, or none. You can undo the import later.
      </p>
      {problemCount > 0 ? (
        <LinkButton to={paths.importProblems(id)} external icon={Download} download>
          Download problems
        </LinkButton>
      ) : null}
      <Button type="submit" name="go" value="check" icon={RefreshCw} aria-disabled={busy || undefined}>
        Check again
      </Button>
      <Button type="submit" name="go" value="import" tone="primary" icon={FileUp} disabled={!isReady}>
        {totalCount === 1
          ? `Import 1 ${noun}`
          : `Import all ${formatFigure(totalCount)} ${kind === 'LPCommitments' ? 'rows' : nouns}`}
      </Button>
    </div>
  );
}

export default function CheckImport() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { id, version, kind, file, counts, view, totalCount, readyCount, problemCount } = page;
  const entered = answer?.intent === 'check' && !answer.done ? (answer.lastResult.initialValue ?? {}) : {};
  const problems = answer?.intent === 'check' && !answer.done ? (answer.lastResult.error?.[''] ?? []) : [];
  const nameProblems: readonly string[] =
    answer?.intent === 'names' && !answer.done ? (answer.lastResult.error?.[''] ?? []) : [];
  const { nouns } = KIND_TITLES[kind];
  return (
    <>
      <PageHeader
        title={titleOf(kind)}
        chip={<Chip dot>Not imported</Chip>}
        facts={[
          <span key="file">
            {file.name}
            {file.isWorkbook ? (
              <>
                , sheet <b>{file.sheetName}</b>
              </>
            ) : null}
          </span>,
          formatBytes(file.bytes),
          <span key="at">
            uploaded <DateText value={page.createdAt} time />
          </span>,
          `checked in ${formatDuration(page.checkedMs)}`,
        ]}
        actions={
          <>
            <ActionForm intent="discard" tone="quiet">
              Discard
            </ActionForm>
            <LinkButton to={paths.importer()} icon={X}>
              Continue later
            </LinkButton>
          </>
        }
      />
      <ImportSteps at="check" file={file.name} second={{ label: 'Columns', note: `${page.mapped} matched` }} />
      {page.notes.map((note) => (
        <Notice key={note} tone="warning">
          {note}
        </Notice>
      ))}
      {page.shared.length > 0 ? (
        <p className="mb-4 text-sm break-words">
          <span className="text-ink-3">Not in the file, entered by you: </span>
          {page.shared.join(' · ')}
          {'. '}
          <Link to={paths.importColumns(id)} className="text-accent underline hover:no-underline">
            Change
          </Link>
        </p>
      ) : null}
      <KeyFigures
        figures={[
          {
            label: 'Rows in the file',
            value: formatFigure(counts.all),
            note: [
              page.blankRows > 0 ? `${formatCount(page.blankRows, 'blank row')} ignored` : 'no blank rows',
              ...(page.removedCount > 0 ? [`${formatFigure(page.removedCount)} removed by you`] : []),
            ].join(', '),
          },
          {
            label: 'OK',
            value: formatFigure(readyCount),
            tone: readyCount === totalCount && totalCount > 0 ? 'good' : undefined,
            note:
              totalCount === 0
                ? 'no rows'
                : `${formatPercent((Math.floor((readyCount * 1000) / totalCount) / 10).toFixed(1), 1)} of the rows`,
          },
          {
            label: 'With problems',
            value: formatFigure(counts.problems),
            tone: problemCount > 0 ? 'danger' : undefined,
            note: formatCount(problemCount, 'problem'),
          },
          {
            label: 'Corrected',
            value: formatFigure(page.changeCount),
            note: page.changeCount === 1 ? 'cell, by you' : 'cells, by you',
          },
          newFigureOf(page),
        ]}
      />
      <div className={page.control ? 'grid gap-x-5 xl:grid-cols-[minmax(0,7fr)_minmax(0,3fr)]' : undefined}>
        <Totals
          kind={kind}
          nouns={nouns}
          readyCount={readyCount}
          before={page.before}
          after={page.after}
          funds={page.funds}
        />
        {page.control ? <ControlPanel control={page.control} /> : null}
      </div>
      {nameProblems.map((problem) => (
        <Notice key={problem} tone="danger">
          {problem}
        </Notice>
      ))}
      <NamesPanel names={page.names} />
      <References references={page.references} />
      <PostForm preventScrollReset>
        <CsrfField />
        <input type="hidden" name="intent" value="check" />
        <input type="hidden" name="version" value={version} />
        {/* Enter in a field checks again; it does not press the first button of the table. */}
        <button type="submit" name="go" value="check" tabIndex={-1} aria-hidden="true" className="sr-only">
          Check again
        </button>
        <ErrorSummary formErrors={problems} problems={[]} />
        <PanelSection title="Rows">
          <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-3 py-2">
            <ViewLinks id={id} view={view} counts={counts} />
            <span className="text-xs text-ink-3">
              {problemCount > 0
                ? `${formatCount(problemCount, 'problem')} in ${formatCount(counts.problems, 'row')}. Correct the marked cells, then check again.`
                : 'No problems.'}
            </span>
          </div>
          {page.rows.length === 0 ? (
            <EmptyState title={view === 'problems' ? 'No row has a problem' : 'No rows'}>
              {view === 'problems' ? 'All rows can be imported.' : null}
            </EmptyState>
          ) : (
            <RowTable
              key={version}
              columns={page.columns}
              rows={page.rows}
              view={view}
              skip={page.skip}
              entered={entered}
            />
          )}
          <Pagination total={counts[view]} limit={ROWS_PER_PAGE} />
        </PanelSection>
        <Warnings warnings={page.warnings} />
        <Footer page={page} />
      </PostForm>
    </>
  );
}
