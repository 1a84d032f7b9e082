import { namedCodes } from '@tapeline/db/operations/importer/codes.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { XLSX_TYPE } from '@tapeline/domain/files/file-types.ts';
import { KIND_TITLES } from '@tapeline/domain/importer/kinds.ts';
import { importTemplate, importTemplateCsv, MAX_LISTED_CODES } from '@tapeline/lake/imports/import-workbook.ts';
import { readScreenOfManager } from '../../http/screen.server.ts';
import { fileAnswer } from './file-answer.ts';
import { isImportKind } from './kind-words.ts';

/** The template of a kind, as a workbook with the tenant's codes or as CSV. */
export const loader = readScreenOfManager('importer/read', async ({ db, params, url }) => {
  const { kind } = params;
  if (!isImportKind(kind)) throw new Refusal('notFound');
  const name = `${KIND_TITLES[kind].title} template`;
  if (url.searchParams.get('format') === 'csv')
    return fileAnswer(Buffer.from(importTemplateCsv(kind)), `${name}.csv`, 'text/csv; charset=utf-8');
  const { funds, mainFunds, LPs } = await db((session) => namedCodes(session, MAX_LISTED_CODES + 1));
  const codes = { fundCode: funds, mainFund: mainFunds, investorCode: LPs, LPCode: LPs };
  return fileAnswer(await importTemplate(kind, codes, new Date()), `${name}.xlsx`, XLSX_TYPE);
});
