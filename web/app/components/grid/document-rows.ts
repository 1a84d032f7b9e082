import type { GridRow } from './arrow-page.ts';
import type { GridColumn } from './grid-columns.ts';
import type { GridValue } from './grid-values.ts';

/** What a name leads to: a field of an object, or the distinct fields of a list's objects. */
function childOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => childOf(item, name)))];
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** The value at a dotted path of a document: `entity.name`, `repayments.kind`. A list is joined. */
function valueAt(document: unknown, path: string): GridValue {
  const value = path.split('.').reduce(childOf, document);
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(String).join(', ');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** The rows of documents: their ids, and a value for each column. */
export const rowsOfDocuments = (
  documents: readonly object[],
  columns: readonly Pick<GridColumn, 'path'>[],
): GridRow[] =>
  documents.map((document) => ({
    id: valueAt(document, 'id'),
    ...Object.fromEntries(columns.map(({ path }) => [path, valueAt(document, path)])),
  }));
