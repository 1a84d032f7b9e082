import type { LoaderFunctionArgs } from '@remix-run/node';
import type { ExportColumn, ExportTable } from '@tapeline/db/lake/exports/export-table.ts';
import { getBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { groupLabelsOf, resultOf } from '../borrowing-bases/borrowing-base-page.server.ts';
import { type CertificateLine, certificateLines } from '../borrowing-bases/certificate-lines.ts';
import { exportResponse } from '../exports.server.ts';
import { readScreen } from '../screen.server.ts';

const FORMATS = ['xlsx', 'csv'] as const;

const text = (name: keyof CertificateLine, label: string): ExportColumn => ({
  name,
  label,
  kind: 'text',
  sql: `"${name}"`,
  type: 'VARCHAR',
});
/** Read from its exact text; as wide as a sum of any currency is. */
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
  text('remark', 'Remark'),
];

/** The lines as a table of literals, in their order. */
function tableOf(lines: readonly CertificateLine[]): ExportTable {
  const values = lines.map((line) => COLUMNS.map(({ name }) => line[name as keyof CertificateLine]));
  const names = COLUMNS.map(({ name }) => `"${name}"`).join(', ');
  const literal = (value: string | number | null): string =>
    value === null ? 'CAST(NULL AS VARCHAR)' : `'${String(value).replaceAll("'", "''")}'`;
  const rows = values.map((row, place) => `(${place}, ${row.map(literal).join(', ')})`);
  const whole = { from: `FROM (VALUES ${rows.join(', ')}) AS lines(place, ${names}) ORDER BY place`, values: [] };
  return { columns: COLUMNS, rows: lines.length, queries: [whole], whole };
}

/** The certificate as a file of the address's `format` (Excel where left out): every figure of its page, a line each. */
export function loader(args: LoaderFunctionArgs) {
  return readScreen(args, 'borrowingBase/read', async ({ context, request, url, params, db }) => {
    const asked = url.searchParams.get('format') ?? 'xlsx';
    const format = FORMATS.find((known) => known === asked);
    if (!format) throw new Refusal('badRequest', `The format is one of ${FORMATS.join(', ')}`);
    const base = await db((session) => getBorrowingBase(session, params.id ?? ''));
    const result = resultOf(base);
    const table = tableOf(certificateLines(result, groupLabelsOf(result)));
    const name = `borrowing-base-${base.cutOffDate}`;
    return exportResponse(context, request, table, { format, name, sheetName: 'Borrowing base' });
  });
}
