import { useLoaderData } from '@remix-run/react';
import { listImportDrafts } from '@tapeline/db/operations/importer/drafts.ts';
import { isFileKind, KIND_TITLES } from '@tapeline/domain/importer/kinds.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { FileUp } from 'lucide-react';
import { Name } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { PanelSection } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { useLivePage } from '../../components/page/use-live-page.ts';
import { TableSection } from '../../components/tables/data-table.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { draftName, draftTo } from './draft-links.ts';
import { ImportStateChip } from './import-state.tsx';
import { IMPORTS_PER_PAGE, KIND_NOTES, KINDS_IN_ORDER } from './kind-words.ts';
import { readImports, withProgress } from './records.server.ts';

export const handle = { title: 'Data import' };

export const loader = readScreen('importer/read', async (screen) => {
  const { db, url, actor } = screen;
  const mayImport = can(actor, 'importer/write') && actor.managerId !== null;
  const page = await db(async (session) => ({
    ...(await readImports(session, skipOf(url.searchParams))),
    mayImport,
    drafts: mayImport
      ? (await listImportDrafts(session)).map(({ id, content, changedAt }) => ({
          id,
          kind: content.kind,
          name: draftName(content),
          changedAt: changedAt.toISOString(),
        }))
      : [],
  }));
  return { ...page, imports: await Promise.all(page.imports.map((one) => withProgress(screen, one))) };
});

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

function Drafts({ drafts }: { drafts: Page['drafts'] }) {
  if (drafts.length === 0) return null;
  return (
    <TableSection
      title="Not imported yet"
      note="only you see these"
      narrow="list"
      caption="Imports that were not started"
      rows={drafts}
      rowTo={({ id, kind }) => draftTo(id, kind)}
      columns={[
        { head: 'File', name: ({ name }) => name, length: 48 },
        { head: 'Records', cell: ({ kind }) => KIND_TITLES[kind].title },
        { head: 'Last changed (UTC)', date: ({ changedAt }) => changedAt, time: 'bare' },
      ]}
    />
  );
}

function Kinds() {
  return (
    <PanelSection title="New import" note="in the order to import them">
      <ul className="divide-y divide-line text-sm">
        {KINDS_IN_ORDER.map((kind) => {
          const { title } = KIND_TITLES[kind];
          return (
            <li key={kind} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
              <span className="w-40 font-medium">{title}</span>
              <span className="min-w-0 flex-1 basis-60 text-ink-2">{KIND_NOTES[kind]}</span>
              <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
                {isFileKind(kind) ? null : (
                  <>
                    <a
                      href={paths.importTemplate(kind)}
                      download
                      className="tap-text text-accent hover:underline"
                      aria-label={`Excel template for ${title}`}
                    >
                      Excel template
                    </a>
                    <a
                      href={paths.importTemplate(kind, { format: 'csv' })}
                      download
                      className="tap-text text-accent hover:underline"
                      aria-label={`CSV template for ${title}`}
                    >
                      CSV
                    </a>
                  </>
                )}
                <LinkButton to={paths.newImport(kind)} icon={FileUp} aria-label={`Import ${title}`}>
                  Import
                </LinkButton>
              </span>
            </li>
          );
        })}
      </ul>
    </PanelSection>
  );
}

export default function Importer() {
  const { imports, total, drafts, mayImport, isInProgress } = useLoaderData<typeof loader>();
  useLivePage(isInProgress);
  return (
    <>
      <PageHeader
        title="Data import"
        facts={[
          formatCount(total, 'import'),
          'every file is checked before anything is stored',
          'an import can be undone',
        ]}
      />
      {mayImport ? <Drafts drafts={drafts} /> : null}
      {mayImport ? <Kinds /> : null}
      <TableSection
        title="Imports"
        note="latest first"
        narrow="list"
        caption="Imports, times in UTC"
        rows={imports}
        rowTo={({ id }) => paths.importRecord(id)}
        empty={
          <EmptyState title="Nothing was imported yet">
            Start with funds and investors, then commitments, calls and distributions.
          </EmptyState>
        }
        columns={[
          { head: 'Records', cell: ({ kind }) => KIND_TITLES[kind].title },
          { head: 'File', name: ({ fileName }) => fileName, length: 36 },
          { head: 'Status', cell: (one) => <ImportStateChip record={one} /> },
          { head: 'Imported', figure: ({ uploadedCount }) => uploadedCount },
          { head: 'Rows', figure: ({ totalCount }) => totalCount },
          { head: 'By', cell: ({ by }) => (by === null ? '' : <Name>{by}</Name>) },
          { head: 'Started (UTC)', date: ({ startedAt }) => startedAt, time: 'bare' },
        ]}
        below={<Pagination total={total} limit={IMPORTS_PER_PAGE} noun="imports" />}
      />
    </>
  );
}
