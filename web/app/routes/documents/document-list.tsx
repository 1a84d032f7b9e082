import { Link } from '@remix-run/react';
import type { ComponentProps, ReactNode } from 'react';
import { Name } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { Tabs } from '../../components/page/tabs.tsx';
import { type DocumentKind, DocumentTable, KIND_NAMES, KINDS_OF } from './document-table.tsx';
import type { FoundDocuments } from './documents.server.ts';

export const LISTED_PER_PAGE = 100;

/** The kind of document that an address asks for; null for all. */
export function askedKind({ searchParams }: URL): DocumentKind | null {
  const asked = searchParams.get('kind') ?? '';
  return Object.hasOwn(KIND_NAMES, asked) ? (asked as DocumentKind) : null;
}

/** A page of documents of one owner or of all. @param to its address, for one kind or for all */
export function DocumentList({
  found: { title, backTo, kinds, documents, total, unread },
  kind,
  to,
  actions,
  empty = 'Notices, statements and reports are listed here.',
  ...table
}: Pick<ComponentProps<typeof DocumentTable>, 'about' | 'withFund' | 'withReads'> & {
  found: FoundDocuments;
  kind: DocumentKind | null;
  to: (kind?: DocumentKind) => string;
  actions?: ReactNode;
  /** What will be listed. */
  empty?: string;
}) {
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
        facts={[formatCount(total, 'document'), ...(unread ? [`${formatFigure(unread)} unread`] : [])]}
        actions={actions}
        isPart={title !== null}
      />
      {kinds.length > 1 || kind !== null ? (
        <Tabs
          label="Kind of document"
          tabs={[
            { label: 'All', to: to(), current: kind === null },
            ...kinds.map((one) => ({ label: KINDS_OF[one], to: to(one), current: kind === one })),
          ]}
        />
      ) : null}
      <Panel>
        <DocumentTable {...table} rows={documents} empty={<EmptyState title="No documents yet">{empty}</EmptyState>} />
        <Pagination total={total} limit={LISTED_PER_PAGE} noun="documents" />
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
