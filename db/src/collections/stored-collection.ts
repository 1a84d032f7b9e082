import type { FieldOfList } from '@tapeline/domain/collections/collection.ts';

/** How the search describes the documents of a collection; `t` is the document, `$1` the ids of the candidates. */
export interface SearchDescription {
  /** SQL of where they come from, if it is not the table: those that are not removed. */
  readonly from?: string;
  /** SQL of a document's title, if it is not that of the history. */
  readonly title?: string;
  /** SQL of what tells it from others of the same title. */
  readonly detail?: string;
  /** SQL of its id, if that is not `t.id`. */
  readonly id?: string;
  /** SQL of the fund and the main fund that it belongs to. */
  readonly funds?: string;
  /** What it is called before its number, in lower case: "draw 9". */
  readonly numbered?: RegExp;
  /** SQL of the id and the condition of the documents whose number is `$1`, if it is not their code. */
  readonly ofNumber?: { readonly id: string; readonly is: string };
  /** SQL of its whole name, for names with a number in them, of which hundreds begin alike. */
  readonly named?: string;
}

/** What the database adds to the descriptor of a collection (`domain/src/collections`). */
export interface StoredCollection {
  readonly entity: { readonly meta: { readonly tableName: string; readonly properties: object } };
  /** SQL of a document's title; `t` is the table. */
  readonly title: string;
  /** SQL of the id and of the title of what several documents are the lines of, such as a capital call. */
  readonly header?: { readonly id: string; readonly title: string };
  /** SQL of the currency of its amounts. */
  readonly currency?: string;
  /** The fields of its list, where no grid needs their labels: every page loads those of its descriptor. */
  readonly fields?: Readonly<Record<string, FieldOfList>>;
  /** False for a table without the columns that every other document has. */
  readonly isDocument?: false;
  /** Tables whose rows are parts of a document and are deleted with it, with the column that names the document. */
  readonly parts?: readonly (readonly [table: string, column: string])[];
  /** For collections that the search finds. */
  readonly found?: SearchDescription;
  /** For collections whose documents are an entity in some role: SQL of their name, and of whether `$1` is their entity. */
  readonly party?: { readonly name: string; readonly isEntity: string };
}

/** SQL of the titles of what a document belongs to; `t` is the document's table. */
export const TITLE_OF = {
  company: '(select name from companies where companies.id = t.company_id)',
  entity: '(select name from entities where entities.id = t.entity_id)',
  fund: '(select title from funds where funds.id = t.fund_id)',
  investor: `coalesce((select title from lps where lps.id = t.investor_lp_id),
  (select title from funds where funds.id = t.investor_fund_id))`,
  mainFund: '(select title from main_funds where main_funds.id = t.main_fund_id)',
  note: `(select note ->> 'title' from transactions, jsonb_array_elements(notes) as note
  where transactions.id = t.transaction_id and note ->> 'id' = t.note_id)`,
  transaction: '(select title from transactions where transactions.id = t.transaction_id)',
} as const;
export const TITLE_OF_FUNDS = `coalesce(${TITLE_OF.fund}, ${TITLE_OF.mainFund})`;

/** SQL of a day in words: "5 Nov 2026". */
export const dayInWords = (column: string): string => `to_char(${column}, 'FMDD Mon YYYY')`;

/** SQL of parts joined by commas; a part that is null is left out. */
export const joined = (...parts: readonly string[]): string => `concat_ws(', ', ${parts.join(', ')})`;

/** SQL of one document for those that share an id: of the visible ones, the first in this order. */
export const firstOfEach = (table: string, group: string, order: string): string =>
  `(select distinct on (${group}) t.*, ${group} as shared from ${table} t
    where ${group} = any ($1) and t.status <> 'Removed' order by ${group}, ${order}) t`;
