import { useLoaderData } from '@remix-run/react';
import { listImportDrafts } from '@tapeline/db/operations/importer/drafts.ts';
import { type ImportKind, isFileKind, KIND_TITLES } from '@tapeline/domain/importer/kinds.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { FileUp } from 'lucide-react';
import { DateText, Figure, Name } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { useLivePage } from '../../components/page/use-live-page.ts';
import { DataTable } from '../../components/tables/data-table.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { ImportStateChip } from './import-state.tsx';
import { IMPORTS_PER_PAGE, KIND_NOTES, KINDS_IN_ORDER } from './kind-words.ts';
import { readImports } from './records.server.ts';

export const handle = { title: 'Importer' };

export const loader = readScreen('importer/read', async ({ db, url, actor }) => {
  const mayImport = can(actor, 'importer/write') && actor.managerId !== null;
  return db(async (session) => ({
    ...(await readImports(session, skipOf(url.searchParams))),
    mayImport,
    drafts: mayImport
      ? (await listImportDrafts(session)).map(({ id, content, changedAt }) => ({
          id,
          kind: content.kind,
          name: content.sheet?.name ?? formatCount(content.pdfs.length, 'PDF file'),
          changedAt: changedAt.toISOString(),
        }))
      : [],
  }));
});

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

const draftTo = (id: string, kind: ImportKind) => (isFileKind(kind) ? paths.importFiles(id) : paths.importCheck(id));

function Drafts({ drafts }: { drafts: Page['drafts'] }) {
  if (drafts.length === 0) return null;
  return (
    <Section title="Not imported yet" note="only you see these">
      <Panel>
        <DataTable
          narrow="list"
          caption="Imports that were not started"
          rows={drafts}
          rowTo={({ id, kind }) => draftTo(id, kind)}
          columns={[
            { key: 'file', head: 'File', cell: ({ name }) => <Name length={48}>{name}</Name> },
            { key: 'kind', head: 'Records', cell: ({ kind }) => KIND_TITLES[kind].title },
            {
              key: 'at',
              head: 'Last changed (UTC)',
              cell: ({ changedAt }) => <DateText value={changedAt} time="bare" />,
            },
          ]}
        />
      </Panel>
    </Section>
  );
}

function Kinds() {
  return (
    <Section title="New import" note="in the order to import them">
      <Panel>
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
      </Panel>
    </Section>
  );
}

export default function Importer() {
  const { imports, total, drafts, mayImport, isInProgress } = useLoaderData<typeof loader>();
  useLivePage(isInProgress);
  return (
    <>
      <PageHeader
        title="Importer"
        facts={[
          formatCount(total, 'import'),
          'every file is checked before anything is stored',
          'an import can be undone',
        ]}
      />
      {mayImport ? <Drafts drafts={drafts} /> : null}
      {mayImport ? <Kinds /> : null}
      <Section title="Imports" note="latest first">
        <Panel>
          <DataTable
            narrow="list"
            caption="Imports, times in UTC"
            rows={imports}
            rowTo={({ id }) => paths.importRecord(id)}
            empty={
              <EmptyState title="Nothing was imported yet">
                Start with funds and LPs, then commitments, calls and distributions.
              </EmptyState>
            }
            columns={[
              { key: 'kind', head: 'Records', cell: ({ kind }) => KIND_TITLES[kind].title },
              { key: 'file', head: 'File', cell: ({ fileName }) => <Name length={36}>{fileName}</Name> },
              { key: 'status', head: 'Status', cell: (one) => <ImportStateChip record={one} /> },
              {
                key: 'imported',
                head: 'Imported',
                numeric: true,
                cell: ({ uploadedCount }) => <Figure value={uploadedCount} />,
              },
              { key: 'total', head: 'Rows', numeric: true, cell: ({ totalCount }) => <Figure value={totalCount} /> },
              { key: 'who', head: 'By', cell: ({ by }) => (by === null ? '' : <Name>{by}</Name>) },
              { key: 'at', head: 'Started (UTC)', cell: ({ startedAt }) => <DateText value={startedAt} time="bare" /> },
            ]}
          />
          <Pagination total={total} limit={IMPORTS_PER_PAGE} noun="imports" />
        </Panel>
      </Section>
    </>
  );
}
