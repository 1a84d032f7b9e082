import type { LoaderFunctionArgs } from '@remix-run/node';
import { storedStatement } from '@tapeline/db/operations/capital/statements.ts';
import { capitalAccountWorkbook } from '@tapeline/lake/exports/capital-account-workbook.ts';
import { readScreen } from '../../../http/screen.server.ts';

/** A computed capital account statement as an Excel workbook. */
export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'funds/read', async ({ db, params }) => {
    const { statement, name } = await db((session) => storedStatement(session, params.id ?? ''));
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
