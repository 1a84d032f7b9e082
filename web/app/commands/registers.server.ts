import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { Register } from '@tapeline/domain/printing/register.ts';
import { registerTable, registerWorkbook } from '@tapeline/lake/exports/register-files.ts';
import type { Screen } from '../http/screen.server.ts';
import { exportResponse } from './exports.server.ts';
import { workbookResponse } from './printing.server.ts';

/**
 * A register as a file of the format in the address: a workbook with formulas, or CSV.
 * @throws Refusal notFound for another format
 */
export async function registerResponse(screen: Screen, read: () => Promise<Register>): Promise<Response> {
  const { format } = screen.params;
  if (format !== 'xlsx' && format !== 'csv') throw new Refusal('notFound');
  const register = await read();
  return format === 'xlsx'
    ? workbookResponse(await registerWorkbook(register), register.fileName)
    : exportResponse(screen, registerTable(register), { format, name: register.fileName, sheetName: register.name });
}
