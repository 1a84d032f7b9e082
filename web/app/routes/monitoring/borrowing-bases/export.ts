import { getBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { certificateDocument } from '@tapeline/domain/borrowing-base/print/certificate.ts';
import { type CertificateLine, certificateLines } from '@tapeline/domain/borrowing-base/print/certificate-lines.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { ExportColumn, ExportTable } from '@tapeline/lake/exports/export-table.ts';
import { exportResponse } from '../../../commands/exports.server.ts';
import { printDocument, printedResponse } from '../../../commands/printing.server.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { partiesOf, readBorrowingBase, ruleLabelsOf } from './borrowing-base-page.server.ts';

const FORMATS = ['xlsx', 'csv', 'pdf'] as const;

const text = (name: keyof CertificateLine, label: string): ExportColumn => ({
  name,
  label,
  kind: 'text',
  sql: `"${name}"`,
  type: 'VARCHAR',
});
/** Reads a decimal from its exact text. The column is wide enough for a sum in any currency. */
const decimal = (
  name: keyof CertificateLine,
  label: string,
  kind: 'amount' | 'number',
  digits: number,
): ExportColumn => ({
  name,
  label,
  kind,
  sql: `CAST("${name}" AS DECIMAL(38,${digits}))`,
  type: `DECIMAL(38,${digits})`,
});
const COLUMNS: readonly ExportColumn[] = [
  text('part', 'Part'),
  text('line', 'Figure'),
  { name: 'assets', label: 'Assets', kind: 'number', sql: 'CAST("assets" AS INTEGER)', type: 'INTEGER' },
  decimal('amount', 'Amount', 'amount', 4),
  text('currency', 'Currency'),
  decimal('measured', 'Measured', 'number', 6),
  decimal('limit', 'Limit', 'number', 6),
  decimal('overLimit', 'Over limit', 'number', 6),
  text('measuredOf', 'Basis of measured, limit and over limit'),
  text('remark', 'Remark'),
];

/** The lines as a table of literals, in order. */
function tableOf(lines: readonly CertificateLine[]): ExportTable {
  const values = lines.map((line) => COLUMNS.map(({ name }) => line[name as keyof CertificateLine]));
  const names = COLUMNS.map(({ name }) => `"${name}"`).join(', ');
  const literal = (value: string | number | null): string =>
    value === null ? 'CAST(NULL AS VARCHAR)' : `'${String(value).replaceAll("'", "''")}'`;
  const rows = values.map((row, place) => `(${place}, ${row.map(literal).join(', ')})`);
  const query = { from: `FROM (VALUES ${rows.join(', ')}) AS lines(place, ${names}) ORDER BY place`, values: [] };
  return { columns: COLUMNS, rows: lines.length, queries: [query] };
}

/**
 * The certificate as a file in the address's `format`: Excel (the default) and CSV have every figure of its page, one
 * per line; the PDF is for signing.
 */
export const loader = readScreen('borrowingBase/read', async (screen) => {
  const { url, params, db, context } = screen;
  const asked = url.searchParams.get('format') ?? 'xlsx';
  const format = FORMATS.find((known) => known === asked);
  if (!format) throw new Refusal('badRequest', `The format is one of ${FORMATS.join(', ')}`);
  const id = params.id ?? '';
  if (format === 'pdf') {
    const base = await db((session) => readBorrowingBase(session, id));
    const parties = await context.store.as(SYSTEM, (session) => partiesOf(session, base));
    const bytes = await printDocument(screen, certificateDocument(base, parties));
    return printedResponse(bytes, `borrowing-base-${base.cutOffDate}`);
  }
  const base = await db((session) => getBorrowingBase(session, id));
  const result = base.result;
  const table = tableOf(certificateLines(result, ruleLabelsOf(result)));
  const name = `borrowing-base-${base.cutOffDate}`;
  return exportResponse(screen, table, { format, name, sheetName: 'Borrowing base' });
});
