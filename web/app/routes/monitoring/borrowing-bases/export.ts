import { SYSTEM } from '@tapeline/db/store.ts';
import { certificateDocument } from '@tapeline/domain/borrowing-base/print/certificate.ts';
import { type CertificateLine, certificateLines } from '@tapeline/domain/borrowing-base/print/certificate-lines.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { ExportColumn } from '@tapeline/lake/exports/export-table.ts';
import { linesTable } from '@tapeline/lake/exports/lines-table.ts';
import { proofOfCertificate } from '../../../commands/certificate-proof.server.ts';
import { partiesOf } from '../../../commands/certified-base.server.ts';
import { exportResponse } from '../../../commands/exports.server.ts';
import { printDocument, printedResponse } from '../../../commands/printing.server.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { readBorrowingBase } from './borrowing-base-page.server.ts';

const FORMATS = ['xlsx', 'csv', 'pdf'] as const;

type LineColumn = Omit<ExportColumn, 'sql'> & { name: keyof CertificateLine };

const text = (name: LineColumn['name'], label: string): LineColumn => ({ name, label, kind: 'text', type: 'VARCHAR' });
const figure = (name: LineColumn['name'], label: string): LineColumn => ({
  name,
  label,
  kind: 'number',
  type: 'DECIMAL(38,6)',
});
/** Wide enough for a sum in any currency. */
const COLUMNS: readonly LineColumn[] = [
  text('part', 'Part'),
  text('line', 'Figure'),
  { name: 'assets', label: 'Assets', kind: 'number', type: 'INTEGER' },
  { name: 'amount', label: 'Amount', kind: 'amount', type: 'DECIMAL(38,4)' },
  text('currency', 'Currency'),
  figure('measured', 'Measured'),
  figure('limit', 'Limit'),
  figure('overLimit', 'Over limit'),
  text('measuredOf', 'Basis of measured, limit and over limit'),
  text('remark', 'Remark'),
];

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
  const base = await db((session) => readBorrowingBase(session, id));
  if (format === 'pdf') {
    const parties = await context.store.as(SYSTEM, (session) => partiesOf(session, base));
    const proof = await proofOfCertificate(context, { actor: screen.actor, asCaller: db }, base);
    const bytes = await printDocument(screen, certificateDocument({ ...base, proof: proof?.currencies }, parties));
    return printedResponse(bytes, `borrowing-base-${base.cutOffDate}`);
  }
  const lines = certificateLines(base.result, base.ruleLabels, base);
  const cells = lines.map((line) => COLUMNS.map(({ name }) => (line[name] === null ? null : String(line[name]))));
  const table = linesTable(COLUMNS, cells);
  const name = `borrowing-base-${base.cutOffDate}`;
  return exportResponse(screen, table, { format, name, sheetName: 'Borrowing base' });
});
