import type { GridRow } from './arrow-page.ts';
import type { GridColumn } from './grid-columns.ts';
import type { GridValue } from './grid-values.ts';

/** The value at a dotted path of a document: `entity.name`. A list is joined. */
function valueAt(document: unknown, path: string): GridValue {
  let value: unknown = document;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(String).join(', ');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** The rows of documents: their ids, and a value for each column. */
export const rowsOfDocuments = (documents: readonly object[], columns: readonly GridColumn[]): GridRow[] =>
  documents.map((document) => ({
    id: valueAt(document, 'id'),
    ...Object.fromEntries(columns.map(({ path }) => [path, valueAt(document, path)])),
  }));
