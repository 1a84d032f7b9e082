import { recordReads } from '@tapeline/db/operations/activities/activities.ts';
import { storedStatement } from '@tapeline/db/operations/capital/statements.ts';
import { capitalAccountWorkbook } from '@tapeline/lake/exports/capital-account-workbook.ts';
import { readScreen } from '../../../http/screen.server.ts';

/** A computed capital account statement as an Excel workbook. */
export const loader = readScreen('funds/read', async ({ db, params }) => {
  const { statement, name } = await db(async (session) => {
    const documentId = params.id ?? '';
    const stored = await storedStatement(session, documentId);
    await recordReads(session, [{ resource: 'capitalAccounts', documentId }]);
    return stored;
  });
  const bytes = Uint8Array.from(await capitalAccountWorkbook(statement));
  return new Response(bytes, {
    headers: {
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.xlsx`)}`,
      'cache-control': 'private, no-store',
    },
  });
});
