import { Link, useLoaderData } from '@remix-run/react';
import { seesReaders } from '@tapeline/db/operations/activities/activities.ts';
import { Name } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { Tabs } from '../../components/page/tabs.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { type DocumentKind, DocumentTable, KIND_NAMES, KINDS_OF } from './document-table.tsx';
import { findDocuments, ownerOf } from './documents.server.ts';

export const handle = named<typeof loader>(
  ({ title, backTo }) => (title === null ? [] : [[title, backTo], 'Documents']),
  ({ title }) => (title === null ? 'Documents' : `Documents of ${title}`),
);

const PAGE_LENGTH = 100;

/** The documents of the fund, main fund, investor or facility in the address. */
export const loader = readScreen(null, ({ db, url, actor }) =>
  db(async (session) => {
    const owner = ownerOf(url, actor);
    const asked = url.searchParams.get('kind') ?? '';
    const kind = Object.hasOwn(KIND_NAMES, asked) ? (asked as DocumentKind) : null;
    const found = await findDocuments(session, owner, { skip: skipOf(url.searchParams), limit: PAGE_LENGTH, kind });
    return { ...found, owner, kind, withReads: !owner.transaction && seesReaders(session) };
  }),
);

export default function Documents() {
  const { title, backTo, owner, kinds, kind, documents, total, withReads } = useLoaderData<typeof loader>();
  const isOfInvestor = !owner.transaction && !owner.fund && !owner.mainFund;
  const search = kind ? { ...owner, kind } : owner;
  return (
    <>
      <PageHeader
        title={
          title === null ? (
            'Documents'
          ) : (
            <>
              Documents of <Name length={60}>{title}</Name>
            </>
          )
        }
        facts={[formatCount(total, 'document')]}
        actions={
          documents.some(({ file }) => file) ? (
            <LinkButton to={paths.documentArchive(search)} external>
              Download as zip
            </LinkButton>
          ) : null
        }
      />
      <Tabs
        label="Kind of document"
        tabs={[
          { label: 'All', to: paths.documents(owner), current: kind === null },
          ...kinds.map((one) => ({
            label: KINDS_OF[one],
            to: paths.documents({ ...owner, kind: one }),
            current: kind === one,
          })),
        ]}
      />
      <Panel>
        <DocumentTable
          rows={documents}
          about={owner.transaction ? 'Belongs to' : isOfInvestor ? null : 'For'}
          withFund={isOfInvestor}
          withReads={withReads}
          empty={
            <EmptyState title="No documents yet">Notices, statements, reports and files are listed here.</EmptyState>
          }
        />
        <Pagination total={total} limit={PAGE_LENGTH} noun="documents" />
      </Panel>
      {title === null ? null : (
        <p className="mt-2 text-xs text-ink-3">
          <Link to={backTo} className="tap-text text-accent hover:underline">
            Back to {title}
          </Link>
        </p>
      )}
    </>
  );
}
