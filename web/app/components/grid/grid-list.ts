import type { Page } from '@tapeline/db/operations/listing/list-documents.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { GridColumn, GridSort } from './grid-columns.ts';

/** A list as its grid shows it: on its page, in the blocks of rows that the grid reads, and in a file of chosen rows. */
export interface GridList {
  readonly columns: readonly GridColumn[];
  /** The order if the address has none. */
  readonly sort: GridSort;
  /** A page of the rows. */
  load(session: Session, query: object): Promise<{ rows: readonly object[]; total: number }>;
}

/** The rows of an operation that lists documents. @param row of a document; by default the document itself */
export const rowsFrom =
  <Document extends object>(
    list: (session: Session, query: object) => Promise<Page<Document>>,
    row: (document: Document) => object = (document) => document,
  ): GridList['load'] =>
  async (session, query) => {
    const { documents, total } = await list(session, query);
    return { rows: documents.map(row), total };
  };
