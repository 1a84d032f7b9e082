import { formatCount } from '../../components/figures/format.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { MoreLink, PanelSection } from '../../components/page/section.tsx';
import { paths } from '../../paths.ts';
import { DocumentTable, type ListedDocument } from './document-table.tsx';

/** Documents that the page of their owner shows. */
export const DOCUMENTS_SHOWN = 8;

/** The latest documents of an investor or a facility, on its own page. */
export function DocumentSection({
  owner,
  documents,
  total,
  withReads,
  paged = false,
}: {
  owner: { investor: string } | { transaction: string };
  documents: readonly ListedDocument[];
  total: number;
  withReads: boolean;
  /** Whether the page's address chooses the documents with `skip`. */
  paged?: boolean;
}) {
  const isInvestor = 'investor' in owner;
  return (
    <PanelSection
      title="Documents"
      note={
        !paged && total > documents.length
          ? `the latest ${documents.length} of ${formatCount(total, 'document')}`
          : 'latest first'
      }
      more={total > 0 ? <MoreLink to={paths.documents(owner)}>All documents</MoreLink> : null}
    >
      <DocumentTable
        rows={documents}
        about={isInvestor ? null : 'Belongs to'}
        withFund={isInvestor}
        withReads={withReads}
        empty={
          <EmptyState title="No documents yet">
            {isInvestor
              ? 'Notices, statements and reports are listed here.'
              : 'Loan tapes, files of draw requests, certificates and contracts are listed here.'}
          </EmptyState>
        }
      />
      {paged ? <Pagination total={total} limit={DOCUMENTS_SHOWN} noun="documents" /> : null}
    </PanelSection>
  );
}
