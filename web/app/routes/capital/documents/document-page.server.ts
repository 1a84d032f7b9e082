import { FUND_DOCUMENT_KINDS } from '@tapeline/db/operations/documents/fund-documents.ts';
import { skipOf } from '../../../components/page/skip.ts';
import { DOCUMENTS_PER_PAGE } from './document-value.ts';

/** The page of documents that the address asks for. */
export const pageOfDocuments = ({ searchParams }: URL) => ({
  skip: skipOf(searchParams),
  limit: DOCUMENTS_PER_PAGE,
  kind: FUND_DOCUMENT_KINDS.find((kind) => kind === searchParams.get('kind')) ?? null,
});
