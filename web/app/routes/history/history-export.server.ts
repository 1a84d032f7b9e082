import { listChangesOfAction, listHistory } from '@tapeline/db/operations/history/history.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { LIST_LIMITS } from '@tapeline/domain/filters/list-query.schema.ts';
import { operationText } from '@tapeline/domain/history/action-sentence.ts';
import type { ExportColumn, ExportQuery, ExportTable } from '@tapeline/lake/exports/export-table.ts';
import { linesQuery } from '@tapeline/lake/exports/lines-table.ts';
import { MAX_CHANGE_LINES, viewChanges } from '../../commands/history.server.ts';
import { formatFigure } from '../../components/figures/format.ts';
import type { ChangeView } from '../../components/history/change-view.ts';
import { type HistoryFilters, queryOf } from './history-list.server.ts';

/** Maximum changes, and rows, of one file. More are refused, so that no file is incomplete. */
export const MAX_EXPORTED_CHANGES = 10_000;
const MAX_EXPORTED_ROWS = 100_000;

const COLUMNS = [
  ['when', 'When (UTC)'],
  ['recorded', 'Recorded (UTC)'],
  ['who', 'Who'],
  ['operation', 'Operation'],
  ['collection', 'Collection'],
  ['document', 'Document'],
  ['documentId', 'Document id'],
  ['field', 'Field'],
  ['path', 'Field in the API'],
  ['before', 'Before'],
  ['after', 'After'],
  ['unit', 'Unit'],
  ['numberBefore', 'Number before'],
  ['numberAfter', 'Number after'],
  ['address', 'Address'],
  ['client', 'Browser or client'],
] as const;

const secondsOf = (instant: string): string => instant.slice(0, 19).replace('T', ' ');

/** A row for each field that the change set; one row for a change that set none. */
function rowsOf(change: ChangeView): (string | null)[][] {
  const { at, recordedAt, by, operation, collection, title, documentId, ip, agent } = change;
  const nothing = { label: null, field: null, old: null, new: null, unit: null, numbers: { old: null, new: null } };
  const lines = change.lines.length > 0 ? change.lines : [nothing];
  const cut = { ...nothing, label: `${formatFigure(change.more)} more fields, see the API` };
  return [
    ...[...lines, ...(change.more > 0 ? [cut] : [])].map(({ label, field, old, new: now, unit, numbers }) => [
      secondsOf(at),
      secondsOf(recordedAt),
      by.name,
      operationText(operation),
      collection,
      title,
      documentId,
      label,
      field,
      old,
      now,
      unit,
      numbers.old,
      numbers.new,
      ip,
      agent,
    ]),
  ];
}

/** Decimals that a number of a document has at most. */
const MAX_DECIMALS = 10;

/** Empty for a number that does not fit or would be rounded: the text column has it. */
const numberSql = (cell: string, type: string): string =>
  `CASE WHEN regexp_full_match(${cell}, '-?\\d{1,${38 - MAX_DECIMALS}}(\\.\\d{1,${MAX_DECIMALS}})?') THEN TRY_CAST(${cell} AS ${type}) END`;

const COLUMN_TYPES: readonly ExportColumn[] = COLUMNS.map(([name, label], at): ExportColumn => {
  const cell = `cells[${at + 1}]`;
  if (!name.startsWith('number')) return { name, label, kind: 'text', sql: cell, type: 'VARCHAR' };
  const type = `DECIMAL(38,${MAX_DECIMALS})` as const;
  return { name, label, kind: 'number', sql: numberSql(cell, type), type };
});

/** The filtered changes as a table for a file. @throws Refusal badRequest if they are too many for one file */
export async function historyTable(session: ReadSession, filters: HistoryFilters): Promise<ExportTable> {
  const query = queryOf(filters);
  const queries: ExportQuery[] = [];
  let count = 0;
  for (let skip = 0; ; skip += LIST_LIMITS.limit) {
    const page = { skip, limit: LIST_LIMITS.limit };
    const { documents, total } = filters.action
      ? await listChangesOfAction(session, filters.action, page)
      : await listHistory(session, { ...query, ...page });
    if (total > MAX_EXPORTED_CHANGES) {
      const most = formatFigure(MAX_EXPORTED_CHANGES);
      const message = `A file has at most ${most} changes, and these are ${formatFigure(total)}. Narrow the filter, for example by date.`;
      throw new Refusal('badRequest', message);
    }
    const rows = (await viewChanges(session, documents, MAX_CHANGE_LINES)).flatMap(rowsOf);
    count += rows.length;
    if (count > MAX_EXPORTED_ROWS) {
      const message = `A file has at most ${formatFigure(MAX_EXPORTED_ROWS)} rows. Narrow the filter, for example by date.`;
      throw new Refusal('badRequest', message);
    }
    if (rows.length > 0) queries.push(linesQuery(rows));
    if (documents.length < LIST_LIMITS.limit) break;
  }
  return { columns: COLUMN_TYPES, rows: count, queries };
}
